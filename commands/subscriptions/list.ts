import { subscriptions } from '../../src/api/operations/subscriptions.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(subscriptions.list, {
  summary: 'List subscriptions, newest first',
  examples: ['', '--status active', '--current-period-end-lt 2026-02-01'],
})
