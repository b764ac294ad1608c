import { webhookEndpoints } from '../../../src/api/operations/webhook-endpoints.ts'
import { BaseCommand } from '../../../src/cli/command/base-command.ts'
import { changeFlags } from '../../../src/cli/parse/change-flags.ts'
import { flagsOf } from '../../../src/cli/parse/flags.ts'
import { idArg } from '../../../src/cli/parse/id-arg.ts'
import { manifestCall } from '../../../src/cli/request/call.ts'

export default class WebhooksEndpointsUpdate extends BaseCommand {
  static override call = manifestCall(webhookEndpoints.update)
  static override summary = 'Update a webhook endpoint'
  static override args = idArg('we_4bT9…')
  static override flags = { ...flagsOf(webhookEndpoints.update.params), ...changeFlags }
  static override examples = [
    "<%= config.bin %> <%= command.id %> we_4bT9… --enabled-events 'invoice.*,payment.*'",
    '<%= config.bin %> <%= command.id %> we_4bT9… --status disabled',
  ]
}
