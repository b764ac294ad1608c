import { paymentSessions } from '../../src/api/operations/payment-sessions.ts'
import { SessionCommand } from '../../src/cli/command/session-command.ts'
import { flagsOf } from '../../src/cli/parse/flags.ts'
import { paramsFromFlags, requireParams } from '../../src/cli/parse/params.ts'
import { readBodyFlags } from '../../src/cli/request/call.ts'
import { BRANDING, brandingFlags, brandingParams } from '../../src/cli/sessions/branding-flags.ts'

const { create, retrieve } = paymentSessions

export default class PaymentSessionsCreate extends SessionCommand {
  static override summary = 'Create a payment session for one payment'
  static override flags = {
    ...flagsOf(create.params, { optional: ['payment_method_types'], omit: [BRANDING] }),
    ...brandingFlags,
    ...SessionCommand.flags,
  }
  static override examples = [
    '<%= config.bin %> <%= command.id %> --customer cus_4bT9… --amount 1000 --currency eur --return-url https://example.com/return',
    '<%= config.bin %> <%= command.id %> --from-file session.json --customer cus_4bT9… --field url',
    '<%= config.bin %> <%= command.id %> --from-file session.json --customer cus_4bT9… --save-payment-method',
    '<%= config.bin %> <%= command.id %> --from-file session.json --open --wait --max-wait 10m --json',
  ]

  override async run(): Promise<void> {
    const { flags } = await this.readInput()
    const flagParams = paramsFromFlags(create.params, flags, [BRANDING])
    const body = await readBodyFlags(create, flags, flagParams)
    const params = {
      payment_method_types: ['card'] as const,
      ...body,
      ...flagParams,
      ...brandingParams(flags, body),
    }
    requireParams(create.params, params)
    const client = this.client()
    const retrieveSession = (id: string) => client.call(retrieve, { id })
    await this.createSession(flags, 'payment-sessions', () => client.call(create, params), retrieveSession)
  }
}
