import { webhookEndpoints } from '../../../src/api/operations/webhook-endpoints.ts'
import { BaseCommand } from '../../../src/cli/command/base-command.ts'
import { createFlags } from '../../../src/cli/parse/create-flags.ts'
import { flagsOf } from '../../../src/cli/parse/flags.ts'
import { callOf } from '../../../src/cli/request/call.ts'

export default class WebhooksEndpointsCreate extends BaseCommand {
  static override call = callOf(webhookEndpoints.create)
  static override summary = webhookEndpoints.create.summary
  static override flags = { ...flagsOf(webhookEndpoints.create.params), ...createFlags }
  static override examples = [
    '<%= config.bin %> <%= command.id %> --url http://localhost:3000/webhooks',
    "<%= config.bin %> <%= command.id %> --url http://localhost:3000/webhooks --enabled-events 'invoice.*,payment.*'",
    '<%= config.bin %> <%= command.id %> --url http://localhost:3000/webhooks --field secret',
  ]
}
