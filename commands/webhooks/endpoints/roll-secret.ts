import { webhookEndpoints } from '../../../src/api/operations/webhook-endpoints.ts'
import { operationCommand } from '../../../src/cli/command/operation-command.ts'
import { flagsOf } from '../../../src/cli/parse/flags.ts'

export default class WebhooksEndpointsRollSecret extends operationCommand(
  webhookEndpoints.rollSecret,
  'we_4bT9…',
) {
  static override summary = 'Replace the signing secret of a webhook endpoint'
  static override description =
    'Only this response shows the new secret. Until the old secret expires, deliveries have both signatures.'
  static override flags = flagsOf(webhookEndpoints.rollSecret.params)
  static override examples = [
    '<%= config.bin %> <%= command.id %> we_4bT9…',
    '<%= config.bin %> <%= command.id %> we_4bT9… --grace-seconds 3600 --field secret',
  ]
}
