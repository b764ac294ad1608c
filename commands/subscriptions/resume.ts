import { subscriptions } from '../../src/api/operations/subscriptions.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { changeFlags } from '../../src/cli/parse/change-flags.ts'
import { idArg } from '../../src/cli/parse/id-arg.ts'
import { readBodyFlags } from '../../src/cli/request/call.ts'

const { update } = subscriptions

export default class SubscriptionsResume extends BaseCommand {
  static override summary = 'Resume the collection of new invoices'
  static override description =
    'Invoices that the pause kept as drafts stay drafts. Collect them with paycli invoices finalize --auto-advance.'
  static override args = idArg('sub_4bT9…')
  static override flags = changeFlags
  static override examples = ['<%= config.bin %> <%= command.id %> sub_4bT9…']

  override async run(): Promise<void> {
    const { id, flags } = await this.readInput()
    const resumed = { pause_collection: null }
    const body = await readBodyFlags(update, flags, resumed)
    const client = this.client()
    await this.printWithCustomer(await client.call(update, { ...body, id, ...resumed }), client)
  }
}
