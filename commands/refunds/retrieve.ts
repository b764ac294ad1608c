import { refunds } from '../../src/api/operations/refunds.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(refunds.retrieve, {
  summary: 'Retrieve a refund',
  examples: ['re_4bT9…', 're_4bT9… --json', 're_4bT9… --field status'],
})
