import { webhookEndpoints } from '../../../src/api/webhook-endpoints.ts'
import { BaseCommand } from '../../../src/cli/base-command.ts'
import { callOf } from '../../../src/cli/call.ts'
import { flagsOf } from '../../../src/cli/flags.ts'
import { idArg } from '../../../src/cli/id-arg.ts'

const { recover } = webhookEndpoints

export default class WebhooksEndpointsRecover extends BaseCommand {
  static override call = callOf(recover)
  static override summary = recover.summary
  static override description =
    '--since and --until take 10m for so long ago, too. has_more says that there were more than one call sends again: run it once more. For single events there is events resend.'
  static override args = idArg('we_4bT9…')
  static override flags = flagsOf(recover.params)
  static override examples = [
    '<%= config.bin %> <%= command.id %> we_4bT9… --since 10m',
    '<%= config.bin %> <%= command.id %> we_4bT9… --since 2026-11-20T08:00:00Z',
    '<%= config.bin %> <%= command.id %> we_4bT9… --since 1795000000 --types invoice.paid --field resent',
  ]
}
