import type { CheckoutSession } from '../../domain/checkout-sessions.ts'
import type { PaymentSession } from '../../domain/payment-sessions.ts'
import { isTerminal } from '../output/output.ts'
import { type Params, paramsFromFlags, requireParams } from '../parse/params.ts'
import { type CommandContext, readBodyFlags } from '../request/call.ts'
import { checkoutFlagParams, checkoutParams } from './checkout-params.ts'

type AnySession = CheckoutSession | PaymentSession

/** Creates a payment session; with `--open` opens its page, with `--wait` waits until it has ended. */
export async function createPaymentSession(context: CommandContext): Promise<void> {
  const { operation, input } = context
  const flagParams = paramsFromFlags<unknown>(operation.params, input.flags)
  const body = await readBodyFlags(operation, input.flags, flagParams)
  const params = { payment_method_types: ['card'], ...body, ...flagParams }
  requireParams<unknown>(operation.params, params)
  await createAndPrint(context, params, 'payments')
}

/** Creates a checkout session; with `--open` opens its page, with `--wait` waits until it has ended. */
export async function createCheckoutSession(context: CommandContext): Promise<void> {
  const { operation, input } = context
  const body = await readBodyFlags(operation, input.flags, checkoutFlagParams(input.flags, operation.params))
  await createAndPrint(context, checkoutParams(input.flags, body, operation.params), 'checkout')
}

async function createAndPrint(
  { operation, input: { flags }, client, print }: CommandContext,
  params: Params,
  topic: string,
) {
  const create = async () => (await client.send(operation, params)) as AnySession
  const retrieve = async (id: string) =>
    (await client.send({ method: 'GET', path: `${operation.path}/:id` }, { id })) as AnySession
  // Loaded only when a flag needs it.
  const isFollowed = ['open', 'wait', 'max-wait'].some((name) => flags[name] !== undefined)
  const session = isFollowed
    ? await (await import('./session-wait.ts')).createAndFollow(flags, create, retrieve)
    : await create()
  const summary = isTerminal() ? await import('../output/result-summary.ts') : null
  await print(session, () => summary?.sessionNote(session, topic) ?? null)
}
