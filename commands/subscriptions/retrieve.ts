import { subscriptions } from '../../src/api/operations/subscriptions.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(subscriptions.retrieve, {
  summary: 'Retrieve a subscription',
  examples: ['sub_4bT9…', 'sub_4bT9… --json', 'sub_4bT9… --field id'],
})
