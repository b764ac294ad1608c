import { checkoutSessions } from '../../src/api/operations/checkout-sessions.ts'
import { SessionCommand } from '../../src/cli/command/session-command.ts'
import { flagsOf, repeatable } from '../../src/cli/parse/flags.ts'
import { readBodyFlags } from '../../src/cli/request/call.ts'
import { brandingFlags, brandingParams } from '../../src/cli/sessions/branding-flags.ts'
import {
  checkoutFlagParams,
  checkoutParams,
  OMITTED_PARAMS,
  OMITTED_SUBSCRIPTION_PARAMS,
  subscriptionSchema,
  trialSettingsSchema,
} from '../../src/cli/sessions/checkout-params.ts'

const { create, retrieve } = checkoutSessions

export default class CheckoutCreate extends SessionCommand {
  static override summary = 'Create a checkout session for a subscription'
  static override description =
    'An item is description:amount[:tax_percent[:type[:quantity]]], with the amount of one unit in minor units. ' +
    "'Monthly rent:100000:20:rent' is 1000.00 per period plus 20 % tax, and 'Seat:1500:::3' is 3 seats at 15.00. " +
    'Write a colon in the description as \\:'
  static override flags = {
    ...flagsOf(create.params, { omit: OMITTED_PARAMS }),
    ...flagsOf(subscriptionSchema, { omit: OMITTED_SUBSCRIPTION_PARAMS }),
    ...flagsOf(trialSettingsSchema, { optional: ['missing_payment_method'] }),
    item: repeatable(
      '(required) Item billed in each period. Repeat for up to 20 items.',
      '<description:amount[:tax_percent[:type[:quantity]]]>',
    ),
    'subscription-metadata': repeatable('Metadata of the subscription. Repeat for more keys.', '<key=value>'),
    ...brandingFlags,
    ...SessionCommand.flags,
  }
  static override examples = [
    "<%= config.bin %> <%= command.id %> --customer cus_4bT9… --currency eur --item 'Monthly rent:100000:20:rent' --interval month",
    "<%= config.bin %> <%= command.id %> --customer cus_4bT9… --currency usd --item 'Seat:1500' --item 'Support:900:7.25' --interval year --start-date 2026-01-01",
    "<%= config.bin %> <%= command.id %> --customer cus_4bT9… --currency eur --item 'Pro plan:2900' --interval month --trial-days 14",
    '<%= config.bin %> <%= command.id %> --from-file session.json --customer cus_4bT9… --field url',
    '<%= config.bin %> <%= command.id %> --from-file session.json --open --wait --max-wait 10m --json',
  ]

  override async run(): Promise<void> {
    const { flags } = await this.readInput()
    const body = await readBodyFlags(create, flags, checkoutFlagParams(flags))
    const params = checkoutParams(flags, { ...body, ...brandingParams(flags, body) })
    const client = this.client()
    const retrieveSession = (id: string) => client.call(retrieve, { id })
    await this.createSession(flags, 'checkout', () => client.call(create, params), retrieveSession)
  }
}
