import { webhookEndpoints } from '../../../src/api/operations/webhook-endpoints.ts'
import { BaseCommand } from '../../../src/cli/command/base-command.ts'
import { flagsOf } from '../../../src/cli/parse/flags.ts'
import { idArg } from '../../../src/cli/parse/id-arg.ts'
import { manifestCall } from '../../../src/cli/request/call.ts'

const { rollSecret } = webhookEndpoints

export default class WebhooksEndpointsRollSecret extends BaseCommand {
  static override call = manifestCall(rollSecret)
  static override summary = 'Replace the signing secret of a webhook endpoint'
  static override description =
    'Only this response shows the new secret. Until the old secret expires, deliveries have both signatures.'
  static override args = idArg('we_4bT9…')
  static override flags = flagsOf(rollSecret.params)
  static override examples = [
    '<%= config.bin %> <%= command.id %> we_4bT9…',
    '<%= config.bin %> <%= command.id %> we_4bT9… --grace-seconds 3600 --field secret',
  ]
}
