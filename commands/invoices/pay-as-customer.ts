import { invoices } from '../../src/api/operations/invoices.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { idArg } from '../../src/cli/parse/id-arg.ts'
import { boolean } from '../../src/cli/parse/options.ts'
import { cardFlags, completeParams } from '../../src/cli/sessions/card-flags.ts'
import { summarizeSettlement } from '../../src/cli/views/result-summary.ts'

export default class InvoicesPayAsCustomer extends BaseCommand {
  static override summary = 'Pay an invoice with a test card, as on its page'
  static override args = idArg('in_4bT9…')
  static override flags = {
    ...cardFlags,
    keep: boolean({
      description: 'Use the card from now on: save it and set it as the card of the subscription.',
    }),
  }
  static override examples = [
    '<%= config.bin %> <%= command.id %> in_4bT9… --card visa --keep',
    '<%= config.bin %> <%= command.id %> in_4bT9… --card sca_required --three-d-secure reject',
  ]

  override async run(): Promise<void> {
    const { id, flags } = await this.readInput()
    const keep = flags['keep'] === true ? { keep: true } : {}
    const params = { id, ...completeParams(flags), ...keep }
    const invoice = await this.client().call(invoices.payAsCustomer, params)
    this.print(invoice, () => summarizeSettlement(invoice))
  }
}
