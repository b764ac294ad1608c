import { webhookEndpoints } from '../../../src/api/operations/webhook-endpoints.ts'
import { BaseCommand } from '../../../src/cli/command/base-command.ts'
import { flagsOf } from '../../../src/cli/parse/flags.ts'
import { idArg } from '../../../src/cli/parse/id-arg.ts'
import { callOf } from '../../../src/cli/request/call.ts'

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
