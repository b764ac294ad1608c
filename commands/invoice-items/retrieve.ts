import { invoiceItems } from '../../src/api/operations/invoice-items.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default operationCommand(invoiceItems.retrieve, {
  summary: 'Retrieve an invoice item',
  examples: ['ii_4bT9…', 'ii_4bT9… --field invoice'],
})
