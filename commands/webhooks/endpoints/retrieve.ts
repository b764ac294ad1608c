import { webhookEndpoints } from '../../../src/api/operations/webhook-endpoints.ts'
import { BaseCommand } from '../../../src/cli/command/base-command.ts'
import { idArg } from '../../../src/cli/parse/id-arg.ts'
import { manifestCall } from '../../../src/cli/request/call.ts'

export default class WebhooksEndpointsRetrieve extends BaseCommand {
  static override call = manifestCall(webhookEndpoints.retrieve)
  static override summary = 'Retrieve a webhook endpoint without its secret'
  static override aliases = ['webhooks:endpoints:get']
  static override args = idArg('we_4bT9…')
  static override examples = [
    '<%= config.bin %> <%= command.id %> we_4bT9…',
    '<%= config.bin %> <%= command.id %> we_4bT9… --json',
    '<%= config.bin %> <%= command.id %> we_4bT9… --field id',
  ]
}
