import { invoices } from '../../src/api/operations/invoices.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { settlementOf } from '../../src/cli/output/result-summary.ts'
import { changeFlags } from '../../src/cli/parse/create-flags.ts'
import { flagsOf } from '../../src/cli/parse/flags.ts'
import { idArg } from '../../src/cli/parse/id-arg.ts'
import { boolean } from '../../src/cli/parse/options.ts'
import { paramsFromFlags } from '../../src/cli/parse/params.ts'
import { bodyOf } from '../../src/cli/request/call.ts'

const { pay } = invoices
const OMITTED = ['off_session']

export default class InvoicesPay extends BaseCommand {
  static override summary = pay.summary
  static override description =
    'A card that is declined exits with 6. With --on-session a card that asks for 3-D Secure does so too, and the address where the buyer approves is told: approving there pays the invoice.'
  static override args = idArg('in_4bT9…')
  static override flags = {
    ...flagsOf(pay.params, { omit: OMITTED }),
    'on-session': boolean({ description: 'The buyer is there, and can authenticate when the card asks.' }),
    ...changeFlags,
  }
  static override examples = [
    '<%= config.bin %> <%= command.id %> in_4bT9…',
    '<%= config.bin %> <%= command.id %> in_4bT9… --payment-method pm_4bT9… --on-session',
    '<%= config.bin %> <%= command.id %> in_4bT9… --paid-out-of-band',
  ]

  override async run(): Promise<void> {
    const { id, flags } = await this.given()
    const presence = flags['on-session'] === true ? { off_session: false } : {}
    const spoken = { ...paramsFromFlags(pay.params, flags, OMITTED), ...presence }
    const given = { ...(await bodyOf(pay, flags, spoken)), ...spoken }
    const invoice = await this.client().call(pay, { ...given, id })
    this.print(invoice, () => settlementOf(invoice))
  }
}
