import { invoices } from '../../src/api/operations/invoices.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { flagsOf } from '../../src/cli/parse/flags.ts'
import { idArg } from '../../src/cli/parse/id-arg.ts'
import { boolean } from '../../src/cli/parse/options.ts'
import { paramsFromFlags } from '../../src/cli/parse/params.ts'
import { updateFlags } from '../../src/cli/parse/update-flags.ts'
import { readBodyFlags } from '../../src/cli/request/call.ts'
import { summarizeSettlement } from '../../src/cli/views/result-summary.ts'

const { pay } = invoices
const OMITTED = ['off_session']

export default class InvoicesPay extends BaseCommand {
  static override summary = 'Pay an open or uncollectible invoice'
  static override description =
    'Exits with 6 if the card is declined. With --on-session, the card may require 3-D Secure. The command then prints the address of the approval page, and the approval pays the invoice.'
  static override args = idArg('in_4bT9…')
  static override flags = {
    ...flagsOf(pay.params, { omit: OMITTED }),
    'on-session': boolean({ description: 'Allow 3-D Secure: the customer is present and can authenticate.' }),
    ...updateFlags,
  }
  static override examples = [
    '<%= config.bin %> <%= command.id %> in_4bT9…',
    '<%= config.bin %> <%= command.id %> in_4bT9… --payment-method pm_4bT9… --on-session',
    '<%= config.bin %> <%= command.id %> in_4bT9… --paid-out-of-band',
  ]

  override async run(): Promise<void> {
    const { id, flags } = await this.readInput()
    const session = flags['on-session'] === true ? { off_session: false } : {}
    const flagParams = { ...paramsFromFlags(pay.params, flags, OMITTED), ...session }
    const params = { ...(await readBodyFlags(pay, flags, flagParams)), ...flagParams }
    const invoice = await this.client().call(pay, { ...params, id })
    this.print(invoice, () => summarizeSettlement(invoice))
  }
}
