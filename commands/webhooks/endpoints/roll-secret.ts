import { webhookEndpoints } from '../../../src/api/webhook-endpoints.ts'
import { BaseCommand } from '../../../src/cli/base-command.ts'
import { callOf } from '../../../src/cli/call.ts'
import { flagsOf } from '../../../src/cli/flags.ts'
import { idArg } from '../../../src/cli/id-arg.ts'

const { rollSecret } = webhookEndpoints

export default class WebhooksEndpointsRollSecret extends BaseCommand {
  static override call = callOf(rollSecret)
  static override summary = rollSecret.summary
  static override description =
    'Only this answer shows the new secret. Until the old one ends every delivery carries both signatures.'
  static override args = idArg('we_4bT9…')
  static override flags = flagsOf(rollSecret.params)
  static override examples = [
    '<%= config.bin %> <%= command.id %> we_4bT9…',
    '<%= config.bin %> <%= command.id %> we_4bT9… --grace-seconds 3600 --field secret',
  ]
}
