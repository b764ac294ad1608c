import { subscriptions } from '../../src/api/operations/subscriptions.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'
import { printWarning } from '../../src/cli/output/output.ts'
import { sendFromFlags } from '../../src/cli/request/call.ts'
import { findDroppedItems } from '../../src/cli/sessions/dropped-items.ts'

export default class SubscriptionsCancel extends operationCommand(subscriptions.cancel, 'sub_4bT9…') {
  static override summary = 'Cancel a subscription immediately, without a refund'
  static override description =
    'Deletes pending invoice items, such as one-off fees and prorations, and prints the unbilled amount. With --invoice-now, a last invoice bills them.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> sub_4bT9…',
    '<%= config.bin %> <%= command.id %> sub_4bT9… --prorate --invoice-now',
  ]

  override async run(): Promise<void> {
    const input = await this.readInput()
    const client = this.client()
    const subscription = await sendFromFlags(this.operation, input, client)
    await this.printWithCustomer(subscription, client)
    if (input.flags['invoice-now'] === true) return
    // The subscription is canceled, also when its events cannot be read.
    const dropped = await findDroppedItems(client, subscription).catch(() => null)
    if (dropped !== null) printWarning(dropped)
  }
}
