import type { CheckoutSession } from '../../domain/checkout-sessions.ts'
import type { PaymentSession } from '../../domain/payment-sessions.ts'
import { isTerminal } from '../output/output.ts'
import { type FlagValues, type Params, paramsFromFlags, requireParams } from '../parse/params.ts'
import { bodyOf, type Task } from '../request/call.ts'
import { checkoutParams, spokenParams } from './checkout-params.ts'

type AnySession = CheckoutSession | PaymentSession

/** Creates a payment session, and opens its page and awaits its end as the flags ask. */
export async function createPaymentSession(task: Task): Promise<void> {
  const { call, given } = task
  const { flags } = given
  const spoken = paramsFromFlags<unknown>(call.params, flags)
  const params = { payment_method_types: ['card'], ...(await bodyOf(call, flags, spoken)), ...spoken }
  requireParams<unknown>(call.params, params)
  await createAnd(task, params, 'payments')
}

/** The same for a checkout session. */
export async function createCheckoutSession(task: Task): Promise<void> {
  const { call, given } = task
  const { flags } = given
  const body = await bodyOf(call, flags, spokenParams(flags, call.params))
  const params = checkoutParams(flags, body, call.params)
  await createAnd(task, params, 'checkout')
}

async function createAnd({ call, given: { flags }, client, print }: Task, params: Params, topic: string) {
  const create = async () => (await client.send(call, params)) as AnySession
  const retrieve = async (id: string) =>
    (await client.send({ method: 'GET', path: `${call.path}/:id` }, { id })) as AnySession
  const session = isFollowed(flags)
    ? await (await import('./session-end.ts')).followNew(flags, { create, retrieve })
    : await create()
  // Only people are told how to go on.
  const outcome = isTerminal() ? await import('../output/result-summary.ts') : null
  await print(session, () => outcome?.sessionNote(session, topic) ?? null)
}

// What follows a session is only loaded for it.
function isFollowed(flags: FlagValues): boolean {
  return ['open', 'wait', 'max-wait'].some((name) => flags[name] !== undefined)
}
