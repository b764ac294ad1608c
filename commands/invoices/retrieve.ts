import { invoices } from '../../src/api/operations/invoices.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default operationCommand(invoices.retrieve, {
  summary: 'Retrieve an invoice',
  examples: ['in_4bT9…', 'in_4bT9… --json', 'in_4bT9… --field id'],
})
