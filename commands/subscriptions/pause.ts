import type { ParamsOf } from '../../src/api/core/operation.ts'
import { subscriptions } from '../../src/api/operations/subscriptions.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { flagsOf } from '../../src/cli/parse/flags.ts'
import { idArg } from '../../src/cli/parse/id-arg.ts'
import { innerSchema } from '../../src/cli/parse/param-kinds.ts'
import { paramsFromFlags, requireParams } from '../../src/cli/parse/params.ts'
import { updateFlags } from '../../src/cli/parse/update-flags.ts'
import { readBodyFlags } from '../../src/cli/request/call.ts'

const { update } = subscriptions
const PAUSE = innerSchema(update.params, 'pause_collection')

export default class SubscriptionsPause extends BaseCommand {
  static override summary = 'Pause the collection of new invoices'
  static override description =
    'Billing periods continue, and open invoices are still retried. Resume with paycli subscriptions resume. Another pause replaces the current one.'
  static override args = idArg('sub_4bT9…')
  static override flags = { ...flagsOf(PAUSE), ...updateFlags }
  static override examples = [
    '<%= config.bin %> <%= command.id %> sub_4bT9… --behavior keep_as_draft',
    '<%= config.bin %> <%= command.id %> sub_4bT9… --behavior void --resumes-at 2026-09-01',
  ]

  override async run(): Promise<void> {
    const { id, flags } = await this.readInput()
    const pause_collection = paramsFromFlags(PAUSE, flags)
    requireParams(PAUSE, pause_collection)
    const body = await readBodyFlags(update, flags, { pause_collection })
    const client = this.client()
    const params = { ...body, id, pause_collection } as ParamsOf<typeof update>
    await this.printWithCustomer(await client.call(update, params), client)
  }
}
