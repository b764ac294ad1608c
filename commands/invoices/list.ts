import { invoices } from '../../src/api/operations/invoices.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(invoices.list, {
  summary: 'List invoices, newest first',
  examples: ['', '--status open', '--subscription sub_4bT9… --json'],
})
