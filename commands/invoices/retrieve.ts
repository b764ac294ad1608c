import { invoices } from '../../src/api/operations/invoices.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(invoices.retrieve, {
  summary: 'Retrieve an invoice',
  examples: ['in_4bT9…', 'in_4bT9… --json', 'in_4bT9… --field id'],
})
