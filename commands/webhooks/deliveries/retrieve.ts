import { webhookDeliveries } from '../../../src/api/operations/webhook-deliveries.ts'
import { BaseCommand } from '../../../src/cli/command/base-command.ts'
import { idArg } from '../../../src/cli/parse/id-arg.ts'
import { manifestCall } from '../../../src/cli/request/call.ts'

export default class WebhooksDeliveriesRetrieve extends BaseCommand {
  static override call = manifestCall(webhookDeliveries.retrieve)
  static override summary = 'Retrieve a delivery attempt'
  static override aliases = ['webhooks:deliveries:get']
  static override args = idArg('whd_4bT9…')
  static override examples = [
    '<%= config.bin %> <%= command.id %> whd_4bT9…',
    '<%= config.bin %> <%= command.id %> whd_4bT9… --json',
    '<%= config.bin %> <%= command.id %> whd_4bT9… --field id',
  ]
}
