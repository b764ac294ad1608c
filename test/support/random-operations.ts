import fc from 'fast-check'
import { api } from '../../src/api/api.ts'
import { TEST_CARDS } from '../../src/domain/cards/test-cards.ts'
import { pickId } from './pick-records.ts'
import { type ApiPaymentAct, apiPaymentActs, performApiPayment } from './random-api-payments.ts'
import { type BillingAct, billingActs, deleteClock, performBilling } from './random-billing.ts'
import {
  type CardSessionParams,
  type CheckoutParams,
  type CustomerParams,
  type CustomerUpdate,
  cardSessionParams,
  checkoutParams,
  customerParams,
  customerUpdate,
  type PaymentParams,
  paymentParams,
} from './random-params.ts'
import { CARDS } from './samples.ts'
import { DAY, type Sandbox, START, typed } from './sandbox.ts'

/** One random operation; a `pick` selects one of the objects that exist by then. */
export type RandomOperation =
  | BillingAct
  | ApiPaymentAct
  | { readonly act: 'create customer'; readonly clock: number | null; readonly params: CustomerParams }
  | { readonly act: 'update customer'; readonly pick: number; readonly params: CustomerUpdate }
  | { readonly act: 'choose card'; readonly pick: number; readonly card: number }
  | { readonly act: 'delete customer'; readonly pick: number }
  | { readonly act: 'create checkout'; readonly pick: number; readonly params: CheckoutParams }
  | { readonly act: 'create payment'; readonly pick: number; readonly params: PaymentParams }
  | {
      readonly act: 'create card session'
      readonly pick: number
      readonly subscription: number | null
      readonly params: CardSessionParams
    }
  | { readonly act: 'expire'; readonly pick: number }
  | { readonly act: 'submit'; readonly pick: number; readonly number: string }
  | { readonly act: 'answer'; readonly pick: number; readonly isApproved: boolean }
  | { readonly act: 'complete'; readonly pick: number; readonly alias: string; readonly isApproved: boolean }
  | { readonly act: 'wait'; readonly seconds: number }
  | { readonly act: 'create endpoint'; readonly enabled_events: readonly string[] }
  | { readonly act: 'delete endpoint'; readonly pick: number }
  | { readonly act: 'list'; readonly limit: number }

const pick = fc.nat({ max: 9 })

const numbers = [
  ...TEST_CARDS.map((card) => card.number),
  CARDS.stranger,
  CARDS.sca,
  CARDS.sca_broke,
  CARDS.visa,
]
const act = <A extends RandomOperation['act'], F extends object>(
  name: A,
  fields: { [K in keyof F]: fc.Arbitrary<F[K]> },
) => fc.record({ act: fc.constant(name), ...fields }) as unknown as fc.Arbitrary<RandomOperation>

/** Generates an operation; operations that create events are more frequent. */
export const randomOperations: fc.Arbitrary<RandomOperation> = fc.oneof(
  { weight: 3, arbitrary: act('create customer', { clock: fc.option(pick), params: customerParams }) },
  { weight: 2, arbitrary: act('update customer', { pick, params: customerUpdate }) },
  { weight: 1, arbitrary: act('choose card', { pick, card: pick }) },
  { weight: 1, arbitrary: act('delete customer', { pick }) },
  { weight: 4, arbitrary: act('create checkout', { pick, params: checkoutParams }) },
  { weight: 3, arbitrary: act('create payment', { pick, params: paymentParams }) },
  {
    weight: 3,
    arbitrary: act('create card session', { pick, subscription: fc.option(pick), params: cardSessionParams }),
  },
  { weight: 1, arbitrary: act('expire', { pick }) },
  { weight: 7, arbitrary: act('submit', { pick, number: fc.constantFrom(...numbers) }) },
  { weight: 3, arbitrary: act('answer', { pick, isApproved: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: act('complete', {
      pick,
      alias: fc.constantFrom(...TEST_CARDS.map((card) => card.alias)),
      isApproved: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: act('wait', {
      seconds: fc.constantFrom(0, 1, 3, 1800, 3600, DAY - 1, DAY, 5 * DAY, 30 * DAY, 31 * DAY, 90 * DAY),
    }),
  },
  {
    weight: 1,
    arbitrary: act('create endpoint', {
      enabled_events: fc.subarray(['*', 'payment.*', 'checkout_session.completed', 'customer.created'], {
        minLength: 1,
      }),
    }),
  },
  { weight: 1, arbitrary: act('delete endpoint', { pick }) },
  { weight: 1, arbitrary: act('list', { limit: fc.integer({ min: 1, max: 100 }) }) },
  { weight: 60, arbitrary: billingActs },
  { weight: 9, arbitrary: apiPaymentActs },
  { weight: 1, arbitrary: deleteClock },
)

/** Ids of the existing objects to pick from. */
export interface Cast {
  readonly customers: string[]
  readonly sessions: string[]
  readonly endpoints: string[]
  readonly clocks: string[]
}

/** Creates a sandbox with one customer in real time and one on a test clock, and its cast. */
export async function createCast(sandbox: Sandbox): Promise<Cast> {
  const clock = await sandbox.call(api.testClocks.create, { frozen_time: START })
  const real = await sandbox.call(api.customers.create, { email: 'real@example.com' })
  const clocked = await sandbox.call(api.customers.create, {
    email: 'clocked@example.com',
    test_clock: clock.id,
  })
  return { customers: [real.id, clocked.id], sessions: [], endpoints: [], clocks: [clock.id] }
}

/** Performs one operation and adds created objects to the cast. */
export async function perform(sandbox: Sandbox, cast: Cast, act: RandomOperation): Promise<void> {
  switch (act.act) {
    case 'create customer': {
      const clock = act.clock === null ? {} : { test_clock: pickId(cast.clocks, act.clock) }
      cast.customers.push((await sandbox.call(api.customers.create, { ...act.params, ...clock })).id)
      return
    }
    case 'create checkout': {
      const params = { ...act.params, customer: pickId(cast.customers, act.pick) }
      cast.sessions.push((await sandbox.call(api.checkoutSessions.create, params)).id)
      return
    }
    case 'create payment': {
      const params = { ...act.params, customer: pickId(cast.customers, act.pick) }
      cast.sessions.push((await sandbox.call(api.paymentSessions.create, params)).id)
      return
    }
    case 'create card session':
      cast.sessions.push(await createCardSession(sandbox, pickId(cast.customers, act.pick), act))
      return
    case 'create endpoint': {
      const { enabled_events } = act
      const params = { url: 'http://127.0.0.1:9/hook', enabled_events }
      cast.endpoints.push((await sandbox.call(api.webhookEndpoints.create, params)).id)
      return
    }
    case 'wait':
      await sandbox.advance(act.seconds)
      return
    case 'list':
      for (const { list } of Object.values(LISTED)) await sandbox.call(list, { limit: act.limit })
      return
    case 'delete endpoint':
      await sandbox.call(api.webhookEndpoints.delete, { id: pickId(cast.endpoints, act.pick) })
      return
    case 'update customer':
    case 'delete customer':
    case 'choose card':
      await onCustomer(sandbox, pickId(cast.customers, act.pick), act)
      return
    case 'expire':
    case 'submit':
    case 'answer':
    case 'complete':
      await onSession(sandbox, pickId(cast.sessions, act.pick), act)
      return
    case 'charge card':
    case 'end payment':
      await performApiPayment(sandbox, cast.customers, act)
      return
    default:
      await performBilling(sandbox, cast, act)
  }
}

const LISTED = {
  customers: api.customers,
  checkoutSessions: api.checkoutSessions,
  cardSessions: api.cardSessions,
  subscriptions: api.subscriptions,
  invoices: api.invoices,
  invoiceItems: api.invoiceItems,
  payments: api.payments,
  refunds: api.refunds,
  testClocks: api.testClocks,
  events: api.events,
  deliveries: api.webhookDeliveries,
}

async function onCustomer(sandbox: Sandbox, id: string, act: RandomOperation): Promise<void> {
  if (act.act === 'update customer') await sandbox.call(api.customers.update, { id, ...act.params })
  if (act.act === 'delete customer') await sandbox.call(api.customers.delete, { id })
  if (act.act !== 'choose card') return
  const { data } = await sandbox.call(api.paymentMethods.listOfCustomer, { id })
  const chosen = data[act.card % Math.max(1, data.length)]?.id ?? null
  await sandbox.call(api.customers.update, { id, default_payment_method: chosen })
}

async function createCardSession(
  sandbox: Sandbox,
  customer: string,
  { subscription, params }: Extract<RandomOperation, { act: 'create card session' }>,
): Promise<string> {
  const { use_for, ...rest } = params
  const { data } = await sandbox.store.list('subscriptions', { where: { customer }, limit: 100 })
  const ids = data.map(({ id }) => id)
  const use = subscription === null ? use_for && { use_for } : { subscription: pickId(ids, subscription) }
  return (await sandbox.call(api.cardSessions.create, { ...rest, ...use, customer })).id
}

function sessionOperations(id: string) {
  if (id.startsWith('cd_sess_')) return api.cardSessions
  return id.startsWith('cks_') ? api.checkoutSessions : api.paymentSessions
}

async function onSession(sandbox: Sandbox, id: string, act: RandomOperation): Promise<void> {
  const { expire, complete } = sessionOperations(id)
  if (act.act === 'expire') await sandbox.send(expire, { id })
  if (act.act === 'submit' && id !== 'nobody') await sandbox.submit(id, typed(act.number))
  if (act.act === 'answer' && id !== 'nobody') await sandbox.answer(id, act.isApproved)
  if (act.act !== 'complete') return
  const answer = act.isApproved ? 'approve' : 'reject'
  await sandbox.send(complete, { id, body: { test_card: act.alias, three_d_secure: answer } })
}
