import { webhookEndpoints } from '../../../src/api/operations/webhook-endpoints.ts'
import { operationCommand } from '../../../src/cli/command/operation-command.ts'
import { flagsOf } from '../../../src/cli/parse/flags.ts'

export default operationCommand(webhookEndpoints.rollSecret, {
  summary: 'Replace the signing secret of a webhook endpoint',
  description:
    'Only this response shows the new secret. Until the old secret expires, deliveries have both signatures.',
  flags: flagsOf(webhookEndpoints.rollSecret.params),
  examples: ['we_4bT9…', 'we_4bT9… --grace-seconds 3600 --field secret'],
})
