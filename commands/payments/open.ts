import { paymentSessions } from '../../src/api/operations/payment-sessions.ts'
import { PageCommand } from '../../src/cli/command/page-command.ts'
import { idArg } from '../../src/cli/parse/id-arg.ts'

export default class PaymentsOpen extends PageCommand {
  static override summary = 'Open the page of a session in the browser'
  static override args = idArg('py_sess_4bT9…')
  static override examples = [
    '<%= config.bin %> <%= command.id %> py_sess_4bT9…',
    '<%= config.bin %> <%= command.id %> py_sess_4bT9… --no-browser',
    '<%= config.bin %> <%= command.id %> py_sess_4bT9… --wait',
  ]

  override async run(): Promise<void> {
    const { id, flags } = await this.readInput()
    const client = this.client()
    const retrieve = (one: string) => client.call(paymentSessions.retrieve, { id: one })
    await this.openPage(await retrieve(id), flags, retrieve)
  }
}
