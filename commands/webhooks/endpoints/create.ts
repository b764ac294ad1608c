import { webhookEndpoints } from '../../../src/api/operations/webhook-endpoints.ts'
import { BaseCommand } from '../../../src/cli/command/base-command.ts'
import { createFlags } from '../../../src/cli/parse/change-flags.ts'
import { flagsOf } from '../../../src/cli/parse/flags.ts'
import { manifestCall } from '../../../src/cli/request/call.ts'

export default class WebhooksEndpointsCreate extends BaseCommand {
  static override call = manifestCall(webhookEndpoints.create)
  static override summary = 'Create a webhook endpoint and print its secret once'
  static override flags = { ...flagsOf(webhookEndpoints.create.params), ...createFlags }
  static override examples = [
    '<%= config.bin %> <%= command.id %> --url http://localhost:3000/webhooks',
    "<%= config.bin %> <%= command.id %> --url http://localhost:3000/webhooks --enabled-events 'invoice.*,payment.*'",
    '<%= config.bin %> <%= command.id %> --url http://localhost:3000/webhooks --field secret',
  ]
}
