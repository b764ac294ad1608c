import { webhookDeliveries } from '../../../src/api/operations/webhook-deliveries.ts'
import { BaseCommand } from '../../../src/cli/command/base-command.ts'
import { flagsOf } from '../../../src/cli/parse/flags.ts'
import { callOf } from '../../../src/cli/request/call.ts'

export default class WebhooksDeliveriesList extends BaseCommand {
  static override call = callOf(webhookDeliveries.list)
  static override summary = webhookDeliveries.list.summary
  static override aliases = ['webhooks:deliveries:ls']
  static override flags = flagsOf(webhookDeliveries.list.params)
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --status failed',
    '<%= config.bin %> <%= command.id %> --event evt_4bT9… --json',
  ]
}
