import { webhookEndpoints } from '../../../src/api/operations/webhook-endpoints.ts'
import { defineOperationCommand } from '../../../src/cli/command/operation-command.ts'
import { createParamFlags } from '../../../src/cli/parse/flags.ts'

export default defineOperationCommand(webhookEndpoints.rollSecret, {
  summary: 'Replace the signing secret of a webhook endpoint',
  description:
    'Only this response shows the new secret. Until the old secret expires, deliveries have both signatures.',
  flags: createParamFlags(webhookEndpoints.rollSecret.params),
  examples: ['we_4bT9…', 'we_4bT9… --grace-seconds 3600 --field secret'],
})
