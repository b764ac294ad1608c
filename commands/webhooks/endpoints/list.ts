import { webhookEndpoints } from '../../../src/api/operations/webhook-endpoints.ts'
import { BaseCommand } from '../../../src/cli/command/base-command.ts'
import { flagsOf } from '../../../src/cli/parse/flags.ts'
import { manifestCall } from '../../../src/cli/request/call.ts'

export default class WebhooksEndpointsList extends BaseCommand {
  static override call = manifestCall(webhookEndpoints.list)
  static override summary = 'List webhook endpoints, newest first'
  static override aliases = ['webhooks:endpoints:ls']
  static override flags = flagsOf(webhookEndpoints.list.params)
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --status disabled',
  ]
}
