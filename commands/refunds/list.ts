import { refunds } from '../../src/api/operations/refunds.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(refunds.list, {
  summary: 'List refunds, newest first',
  examples: ['', '--payment py_4bT9…', '--created-gte 2026-01-01 --json'],
})
