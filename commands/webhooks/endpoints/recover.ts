import { webhookEndpoints } from '../../../src/api/operations/webhook-endpoints.ts'
import { BaseCommand } from '../../../src/cli/command/base-command.ts'
import { flagsOf } from '../../../src/cli/parse/flags.ts'
import { idArg } from '../../../src/cli/parse/id-arg.ts'
import { callOf } from '../../../src/cli/request/call.ts'

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
