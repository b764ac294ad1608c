import fc from 'fast-check'
import { api } from '../../src/api/index.ts'
import type { ParamsOf } from '../../src/api/operation.ts'
import { TEST_CARDS } from '../../src/domain/test-cards.ts'
import { CARDS } from './samples.ts'
import { DAY, type Sandbox, START, typed } from './sandbox.ts'

type CheckoutParams = Omit<ParamsOf<typeof api.checkoutSessions.create>, 'customer'>
type PaymentParams = Omit<ParamsOf<typeof api.paymentSessions.create>, 'customer'>
type CustomerParams = ParamsOf<typeof api.customers.create>
type CustomerUpdate = Omit<ParamsOf<typeof api.customers.update>, 'id'>

/** One thing that somebody does; a `pick` chooses among what there is by then. */
export type Act =
  | { readonly act: 'create customer'; readonly params: CustomerParams }
  | { readonly act: 'update customer'; readonly pick: number; readonly params: CustomerUpdate }
  | { readonly act: 'choose card'; readonly pick: number; readonly card: number }
  | { readonly act: 'delete customer'; readonly pick: number }
  | { readonly act: 'create checkout'; readonly pick: number; readonly params: CheckoutParams }
  | { readonly act: 'create payment'; readonly pick: number; readonly params: PaymentParams }
  | { readonly act: 'expire'; readonly pick: number }
  | { readonly act: 'submit'; readonly pick: number; readonly number: string }
  | { readonly act: 'answer'; readonly pick: number; readonly isApproved: boolean }
  | { readonly act: 'complete'; readonly pick: number; readonly alias: string; readonly isApproved: boolean }
  | { readonly act: 'wait'; readonly seconds: number }
  | { readonly act: 'create endpoint'; readonly enabled_events: readonly string[] }
  | { readonly act: 'delete endpoint'; readonly pick: number }
  | { readonly act: 'list'; readonly limit: number }

const words = fc.stringMatching(/^[a-zé]{1,12}( [a-z]{1,8})?$/)
const metadata = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), words, { maxKeys: 3 })
const pick = fc.nat({ max: 9 })
const currency = fc.constantFrom('eur', 'jpy', 'kwd')

const item = fc.record(
  {
    description: words,
    type: fc.constantFrom('rent', 'deposit', 'fee_2'),
    price_data: fc.record(
      {
        amount: fc.oneof(fc.nat({ max: 999_999_999_999 }), fc.nat({ max: 500 }), fc.constant(0)),
        tax_percent: fc.integer({ min: 0, max: 1_000_000 }).map((ppm) => ppm / 10_000),
      },
      { requiredKeys: ['amount'] },
    ),
  },
  { requiredKeys: ['description', 'price_data'] },
)

/** What a checkout session may be created with, beside its customer. */
export const checkoutParams: fc.Arbitrary<CheckoutParams> = fc.record(
  {
    currency,
    subscription_data: fc.record(
      {
        interval: fc.constantFrom('day', 'week', 'month', 'year'),
        interval_count: fc.integer({ min: 1, max: 3 }),
        collection_method: fc.constantFrom('charge_automatically', 'send_invoice'),
        start_date: fc.oneof(fc.constant(0), fc.integer({ min: START - 90 * DAY, max: START + 90 * DAY })),
        items: fc.array(item, { minLength: 1, maxLength: 4 }),
        metadata,
      },
      { requiredKeys: ['interval', 'items'] },
    ),
    description: words,
    client_reference_id: words,
    return_url: fc.constantFrom(
      'https://example.com/return?a=1',
      'http://127.0.0.1:3000/{CHECKOUT_SESSION_ID}',
    ),
    expires_at: fc.integer({ min: START + 1800, max: START + 70 * DAY }),
    metadata,
  },
  { requiredKeys: ['currency', 'subscription_data'] },
)

/** What a payment session may be created with, beside its customer. */
export const paymentParams: fc.Arbitrary<PaymentParams> = fc.record(
  {
    amount: fc.integer({ min: 1, max: 999_999_999_999 }),
    currency,
    payment_method_types: fc.constant(['card', 'card'] as const),
    return_url: fc.constant('https://example.com/return'),
    description: words,
    metadata,
  },
  { requiredKeys: ['amount', 'currency', 'payment_method_types', 'return_url'] },
)

/** What a customer may be created with. */
export const customerParams: fc.Arbitrary<CustomerParams> = fc.record(
  { email: fc.constantFrom('ada@example.com', 'bob@example.org'), name: words, metadata },
  { requiredKeys: ['email'] },
)

const customerUpdate: fc.Arbitrary<CustomerUpdate> = fc.record(
  {
    email: fc.constantFrom('ada@example.com', 'eve@example.net'),
    name: fc.option(words),
    description: fc.option(words),
    metadata: fc.oneof(metadata, fc.constant(null), fc.constant('' as const)),
  },
  { requiredKeys: [] },
)

const numbers = [
  ...TEST_CARDS.map((card) => card.number),
  CARDS.stranger,
  CARDS.sca,
  CARDS.sca_broke,
  CARDS.visa,
]
const act = <A extends Act['act'], F extends object>(
  name: A,
  fields: { [K in keyof F]: fc.Arbitrary<F[K]> },
) => fc.record({ act: fc.constant(name), ...fields }) as unknown as fc.Arbitrary<Act>

/** A random act; those that make things happen come more often. */
export const acts: fc.Arbitrary<Act> = fc.oneof(
  { weight: 2, arbitrary: act('create customer', { params: customerParams }) },
  { weight: 2, arbitrary: act('update customer', { pick, params: customerUpdate }) },
  { weight: 1, arbitrary: act('choose card', { pick, card: pick }) },
  { weight: 1, arbitrary: act('delete customer', { pick }) },
  { weight: 4, arbitrary: act('create checkout', { pick, params: checkoutParams }) },
  { weight: 3, arbitrary: act('create payment', { pick, params: paymentParams }) },
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
    weight: 2,
    arbitrary: act('wait', { seconds: fc.constantFrom(0, 1, 1800, 3600, DAY - 1, DAY, 30 * DAY) }),
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
)

/** Who and what there is to pick from, by id. */
export interface Cast {
  readonly customers: string[]
  readonly sessions: string[]
  readonly endpoints: string[]
}

function picked(ids: readonly string[], pick: number): string {
  return ids[pick % Math.max(1, ids.length)] ?? 'nobody'
}

/** Does one act; what is made joins the cast. */
export async function perform(sandbox: Sandbox, cast: Cast, act: Act): Promise<void> {
  switch (act.act) {
    case 'create customer':
      cast.customers.push((await sandbox.call(api.customers.create, act.params)).id)
      return
    case 'create checkout': {
      const params = { ...act.params, customer: picked(cast.customers, act.pick) }
      cast.sessions.push((await sandbox.call(api.checkoutSessions.create, params)).id)
      return
    }
    case 'create payment': {
      const params = { ...act.params, customer: picked(cast.customers, act.pick) }
      cast.sessions.push((await sandbox.call(api.paymentSessions.create, params)).id)
      return
    }
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
      await sandbox.call(api.webhookEndpoints.delete, { id: picked(cast.endpoints, act.pick) })
      return
    default:
      await (act.act.endsWith('customer') || act.act === 'choose card'
        ? onCustomer(sandbox, picked(cast.customers, act.pick), act)
        : onSession(sandbox, picked(cast.sessions, act.pick), act))
  }
}

const LISTED = {
  customers: api.customers,
  checkoutSessions: api.checkoutSessions,
  payments: api.payments,
  events: api.events,
  deliveries: api.webhookDeliveries,
}

async function onCustomer(sandbox: Sandbox, id: string, act: Act): Promise<void> {
  if (act.act === 'update customer') await sandbox.call(api.customers.update, { id, ...act.params })
  if (act.act === 'delete customer') await sandbox.call(api.customers.delete, { id })
  if (act.act !== 'choose card') return
  const { data } = await sandbox.call(api.paymentMethods.listOfCustomer, { id })
  const chosen = data[act.card % Math.max(1, data.length)]?.id ?? null
  await sandbox.call(api.customers.update, { id, default_payment_method: chosen })
}

async function onSession(sandbox: Sandbox, id: string, act: Act): Promise<void> {
  const { expire, complete } = id.startsWith('cks_') ? api.checkoutSessions : api.paymentSessions
  if (act.act === 'expire') await sandbox.send(expire, { id })
  if (act.act === 'submit' && id !== 'nobody') await sandbox.submit(id, typed(act.number))
  if (act.act === 'answer' && id !== 'nobody') await sandbox.answer(id, act.isApproved)
  if (act.act !== 'complete') return
  const answer = act.isApproved ? 'approve' : 'reject'
  await sandbox.send(complete, { id, body: { test_card: act.alias, three_d_secure: answer } })
}
