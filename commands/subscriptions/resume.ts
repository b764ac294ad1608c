import { subscriptions } from '../../src/api/operations/subscriptions.ts'
import { BaseCommand, toExamples } from '../../src/cli/command/base-command.ts'
import { idArg } from '../../src/cli/parse/id-arg.ts'
import { updateFlags } from '../../src/cli/parse/mutation-flags.ts'
import { readBodyFlags } from '../../src/cli/request/call.ts'

const { resume, retrieve, update } = subscriptions

export default class SubscriptionsResume extends BaseCommand {
  static override summary = 'Resume a paused subscription, or its collection'
  static override description =
    'A subscription with status paused, whose trial ended without a card, starts and is billed. Otherwise the collection of new invoices resumes. ' +
    'Invoices that the pause kept as drafts stay drafts. Collect them with paycli invoices finalize --auto-advance.'
  static override args = idArg('sub_4bT9…')
  static override flags = updateFlags
  static override examples = toExamples(['sub_4bT9…'])

  override async run(): Promise<void> {
    const { id, flags } = await this.readInput()
    const client = this.client()
    const { status } = await client.call(retrieve, { id })
    if (status === 'paused') {
      const body = await readBodyFlags(resume, flags, {})
      await this.printWithCustomer(await client.send(resume, { ...body, id }), client)
      return
    }
    const resumed = { pause_collection: null }
    const body = await readBodyFlags(update, flags, resumed)
    await this.printWithCustomer(await client.call(update, { ...body, id, ...resumed }), client)
  }
}
