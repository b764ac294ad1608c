import { webhookEndpoints } from '../../../src/api/webhook-endpoints.ts'
import { BaseCommand } from '../../../src/cli/base-command.ts'
import { callOf } from '../../../src/cli/call.ts'
import { dryRunFlag } from '../../../src/cli/create-flags.ts'
import { idArg } from '../../../src/cli/id-arg.ts'

export default class WebhooksEndpointsDelete extends BaseCommand {
  static override call = callOf(webhookEndpoints.delete)
  static override summary = webhookEndpoints.delete.summary
  static override aliases = ['webhooks:endpoints:rm']
  static override args = idArg('we_4bT9…')
  static override flags = dryRunFlag
  static override examples = ['<%= config.bin %> <%= command.id %> we_4bT9…']
}
