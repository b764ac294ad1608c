import { invoiceItems } from '../../src/api/operations/invoice-items.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(invoiceItems.retrieve, {
  summary: 'Retrieve an invoice item',
  examples: ['ii_4bT9…', 'ii_4bT9… --field invoice'],
})
