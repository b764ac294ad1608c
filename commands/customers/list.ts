import { customers } from '../../src/api/operations/customers.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(customers.list, {
  summary: 'List customers, newest first',
  examples: [
    '',
    '--email ada@example.com',
    '--created-gte 2026-01-01 --limit 100',
    '--test-clock clock_4bT9…',
    "--field 'data[].id'",
  ],
})
