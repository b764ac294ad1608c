import { invoiceItems } from '../../src/api/operations/invoice-items.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(invoiceItems.list, {
  summary: 'List invoice items, newest first',
  examples: ['', '--subscription sub_4bT9…', '--invoice in_4bT9… --json'],
})
