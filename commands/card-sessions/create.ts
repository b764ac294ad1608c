import { cardSessions } from '../../src/api/operations/card-sessions.ts'
import { SessionCommand } from '../../src/cli/command/session-command.ts'
import { flagsOf } from '../../src/cli/parse/flags.ts'
import { paramsFromFlags, requireParams } from '../../src/cli/parse/params.ts'
import { readBodyFlags } from '../../src/cli/request/call.ts'
import { BRANDING, brandingFlags, brandingParams } from '../../src/cli/sessions/branding-flags.ts'

const { create, retrieve } = cardSessions

export default class CardSessionsCreate extends SessionCommand {
  static override summary = 'Create a card session to update a card'
  static override description =
    'The page saves the new card, uses it for the subscriptions of the customer and pays their open invoices. With --no-pay-open-invoices, it pays none of them.'
  static override flags = {
    ...flagsOf(create.params, { omit: [BRANDING] }),
    ...brandingFlags,
    ...SessionCommand.flags,
  }
  static override examples = [
    '<%= config.bin %> <%= command.id %> --customer cus_4bT9…',
    '<%= config.bin %> <%= command.id %> --customer cus_4bT9… --subscription sub_4bT9… --field url',
    '<%= config.bin %> <%= command.id %> --customer cus_4bT9… --open --wait --max-wait 10m --json',
  ]

  override async run(): Promise<void> {
    const { flags } = await this.readInput()
    const flagParams = paramsFromFlags(create.params, flags, [BRANDING])
    const body = await readBodyFlags(create, flags, flagParams)
    const params = { ...body, ...flagParams, ...brandingParams(flags, body) }
    requireParams(create.params, params)
    const client = this.client()
    const retrieveSession = (id: string) => client.call(retrieve, { id })
    await this.createSession(flags, 'card-sessions', () => client.call(create, params), retrieveSession)
  }
}
