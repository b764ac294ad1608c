import { subscriptions } from '../../src/api/operations/subscriptions.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'
import { printWarning } from '../../src/cli/output/output.ts'
import { findDeletedItemsWarning } from '../../src/cli/sessions/deleted-items-warning.ts'

export default class SubscriptionsCancel extends defineOperationCommand(subscriptions.cancel, {
  summary: 'Cancel a subscription immediately, without a refund',
  description:
    'Deletes pending invoice items, such as one-off fees and prorations, and prints the unbilled amount. With --invoice-now, a last invoice bills these items.',
  examples: ['sub_4bT9…', 'sub_4bT9… --prorate --invoice-now'],
}) {
  override async run(): Promise<void> {
    const input = await this.readInput()
    const client = this.client()
    const subscription = await this.send(input, client)
    await this.printWithCustomer(subscription, client)
    if (input.flags['invoice-now'] === true) return
    // The cancellation has succeeded, so an error in reading the events must not fail the command.
    const dropped = await findDeletedItemsWarning(client, subscription).catch(() => null)
    if (dropped !== null) printWarning(dropped)
  }
}
