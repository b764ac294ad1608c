import { webhookDeliveries } from '../../../src/api/operations/webhook-deliveries.ts'
import { BaseCommand } from '../../../src/cli/command/base-command.ts'
import { flagsOf } from '../../../src/cli/parse/flags.ts'
import { manifestCall } from '../../../src/cli/request/call.ts'

export default class WebhooksDeliveriesList extends BaseCommand {
  static override call = manifestCall(webhookDeliveries.list)
  static override summary = 'List delivery attempts, newest first'
  static override aliases = ['webhooks:deliveries:ls']
  static override flags = flagsOf(webhookDeliveries.list.params)
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --status failed',
    '<%= config.bin %> <%= command.id %> --event evt_4bT9… --json',
  ]
}
