import { payments } from '../../src/api/operations/payments.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { flagsOf } from '../../src/cli/parse/flags.ts'
import { boolean } from '../../src/cli/parse/options.ts'
import { paramsFromFlags, requireParams } from '../../src/cli/parse/params.ts'
import { createFlags } from '../../src/cli/parse/update-flags.ts'
import { readBodyFlags } from '../../src/cli/request/call.ts'
import { summarizePayment } from '../../src/cli/views/result-summary.ts'

const { create } = payments
const OMITTED = ['off_session']

export default class PaymentsCreate extends BaseCommand {
  static override summary = 'Charge a saved card'
  static override description =
    'Exits with 6 if the card is declined. With --on-session, the card may require 3-D Secure. The command then prints the address of the approval page. For a page on which the customer enters a card, use paycli payment-sessions create.'
  static override flags = {
    ...flagsOf(create.params, { omit: OMITTED }),
    'on-session': boolean({ description: 'Allow 3-D Secure: the customer is present and can authenticate.' }),
    ...createFlags,
  }
  static override examples = [
    '<%= config.bin %> <%= command.id %> --customer cus_4bT9… --amount 4500 --currency eur',
    '<%= config.bin %> <%= command.id %> --customer cus_4bT9… --amount 4500 --currency eur --payment-method pm_4bT9… --on-session',
    '<%= config.bin %> <%= command.id %> --customer cus_4bT9… --amount 4500 --currency eur --idempotency-key usage-2026-03',
  ]

  override async run(): Promise<void> {
    const { flags } = await this.readInput()
    const session = flags['on-session'] === true ? { off_session: false } : {}
    const flagParams = { ...paramsFromFlags(create.params, flags, OMITTED), ...session }
    const params = { ...(await readBodyFlags(create, flags, flagParams)), ...flagParams }
    requireParams(create.params, params)
    const payment = await this.client().call(create, params)
    this.print(payment, () => summarizePayment(payment))
  }
}
