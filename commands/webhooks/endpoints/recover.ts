import { webhookEndpoints } from '../../../src/api/operations/webhook-endpoints.ts'
import { BaseCommand } from '../../../src/cli/command/base-command.ts'
import { flagsOf } from '../../../src/cli/parse/flags.ts'
import { idArg } from '../../../src/cli/parse/id-arg.ts'
import { manifestCall } from '../../../src/cli/request/call.ts'

const { recover } = webhookEndpoints

export default class WebhooksEndpointsRecover extends BaseCommand {
  static override call = manifestCall(recover)
  static override summary = 'Resend events that an endpoint missed'
  static override description =
    '--since and --until accept a time, or a duration such as 10m for 10 minutes ago. If has_more is true, run the command again to resend the rest. To resend single events, use events resend.'
  static override args = idArg('we_4bT9…')
  static override flags = flagsOf(recover.params)
  static override examples = [
    '<%= config.bin %> <%= command.id %> we_4bT9… --since 10m',
    '<%= config.bin %> <%= command.id %> we_4bT9… --since 2026-11-20T08:00:00Z',
    '<%= config.bin %> <%= command.id %> we_4bT9… --since 1795000000 --types invoice.paid --field resent',
  ]
}
