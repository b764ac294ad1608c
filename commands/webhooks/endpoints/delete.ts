import { webhookEndpoints } from '../../../src/api/operations/webhook-endpoints.ts'
import { BaseCommand } from '../../../src/cli/command/base-command.ts'
import { dryRunFlag } from '../../../src/cli/parse/change-flags.ts'
import { idArg } from '../../../src/cli/parse/id-arg.ts'
import { manifestCall } from '../../../src/cli/request/call.ts'

export default class WebhooksEndpointsDelete extends BaseCommand {
  static override call = manifestCall(webhookEndpoints.delete)
  static override summary = 'Delete a webhook endpoint and its pending deliveries'
  static override aliases = ['webhooks:endpoints:rm']
  static override args = idArg('we_4bT9…')
  static override flags = dryRunFlag
  static override examples = ['<%= config.bin %> <%= command.id %> we_4bT9…']
}
