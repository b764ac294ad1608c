import { paymentSessions } from '../../src/api/payment-sessions.ts'
import { BaseCommand } from '../../src/cli/base-command.ts'
import { createFlags } from '../../src/cli/create-flags.ts'
import { flagsOf } from '../../src/cli/flags.ts'
import { sessionNote } from '../../src/cli/outcome.ts'
import { paramsFromFlags, requireParams } from '../../src/cli/params.ts'
import { bodyParams } from '../../src/cli/request-body.ts'
import { followFlags, followNew } from '../../src/cli/session-end.ts'

const { create } = paymentSessions

export default class PaymentsCreate extends BaseCommand {
  static override summary = create.summary
  static override flags = {
    ...flagsOf(create.params, { optional: ['payment_method_types'] }),
    ...createFlags,
    ...followFlags,
  }
  static override examples = [
    '<%= config.bin %> <%= command.id %> --customer cus_4bT9… --amount 1000 --currency eur --return-url https://example.com/return',
    '<%= config.bin %> <%= command.id %> --from-file session.json --customer cus_4bT9… --field url',
    '<%= config.bin %> <%= command.id %> --from-file session.json --open --wait --max-wait 10m --json',
  ]

  override async run(): Promise<void> {
    const { flags } = await this.given()
    const defaults = { payment_method_types: ['card'] as const }
    const params = {
      ...defaults,
      ...(await bodyParams(flags, create.params)),
      ...paramsFromFlags(create.params, flags),
    }
    requireParams(create.params, params)
    const client = this.client()
    const session = await followNew(flags, {
      create: () => client.call(create, params),
      retrieve: (id) => client.call(paymentSessions.retrieve, { id }),
    })
    this.print(session, () => sessionNote(session, 'payments'))
  }
}
