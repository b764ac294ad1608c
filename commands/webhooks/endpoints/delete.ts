import { webhookEndpoints } from '../../../src/api/operations/webhook-endpoints.ts'
import { BaseCommand } from '../../../src/cli/command/base-command.ts'
import { dryRunFlag } from '../../../src/cli/parse/create-flags.ts'
import { idArg } from '../../../src/cli/parse/id-arg.ts'
import { callOf } from '../../../src/cli/request/call.ts'

export default class WebhooksEndpointsDelete extends BaseCommand {
  static override call = callOf(webhookEndpoints.delete)
  static override summary = webhookEndpoints.delete.summary
  static override aliases = ['webhooks:endpoints:rm']
  static override args = idArg('we_4bT9…')
  static override flags = dryRunFlag
  static override examples = ['<%= config.bin %> <%= command.id %> we_4bT9…']
}
