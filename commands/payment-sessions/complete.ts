import { paymentSessions } from '../../src/api/operations/payment-sessions.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { idArg } from '../../src/cli/parse/id-arg.ts'
import { cardOrWalletFlags, completeParams } from '../../src/cli/sessions/card-flags.ts'
import { waitForIssuer } from '../../src/cli/sessions/session-wait.ts'
import { summarizeSession } from '../../src/cli/views/result-summary.ts'

export default class PaymentSessionsComplete extends BaseCommand {
  static override summary = 'Complete a payment session with a test card'
  static override aliases = ['payments:complete']
  static override args = idArg('py_sess_4bT9…')
  static override flags = cardOrWalletFlags
  static override examples = [
    '<%= config.bin %> <%= command.id %> py_sess_4bT9… --card visa',
    '<%= config.bin %> <%= command.id %> py_sess_4bT9… --card insufficient_funds',
    '<%= config.bin %> <%= command.id %> py_sess_4bT9… --card wallet',
    '<%= config.bin %> <%= command.id %> py_sess_4bT9… --card 4000002500003155 --three-d-secure reject',
  ]

  override async run(): Promise<void> {
    const { id, flags } = await this.readInput()
    const client = this.client()
    const session = await client.call(paymentSessions.complete, { id, ...completeParams(flags) })
    const retrieve = (one: string) => client.call(paymentSessions.retrieve, { id: one })
    const ended = await waitForIssuer(session, retrieve)
    this.print(ended, () => summarizeSession(ended))
  }
}
