import fc from 'fast-check'
import { api, operations } from '../../src/api/api.ts'
import { TEST_CARDS } from '../../src/domain/cards/test-cards.ts'
import { chooseCard, pickId } from './pick-records.ts'
import { act, type Cast, optionalPick, type Performers, pick, type ValueOf, weighted } from './random-acts.ts'
import { apiPaymentActs, PERFORM_API_PAYMENT } from './random-api-payments.ts'
import { billingActs, deleteClock, PERFORM_BILLING } from './random-billing.ts'
import { disputeActs, PERFORM_DISPUTE } from './random-disputes.ts'
import {
  cardSessionParams,
  checkoutParams,
  customerParams,
  customerUpdate,
  paymentParams,
  portalSessionParams,
} from './random-params.ts'
import { CARDS } from './samples.ts'
import { DAY, type Sandbox, START, typed } from './sandbox.ts'

const isApproved = fc.boolean()
const numbers = [
  ...TEST_CARDS.map((card) => card.number),
  CARDS.stranger,
  CARDS.sca,
  CARDS.sca_broke,
  CARDS.visa,
]

/** Generates an operation; operations that create events are more frequent. */
export const randomOperations = weighted(
  [3, act('create customer', { clock: optionalPick, params: customerParams })],
  [2, act('update customer', { pick, params: customerUpdate })],
  [1, act('choose card', { pick, card: pick })],
  [1, act('delete customer', { pick })],
  [4, act('create checkout', { pick, params: checkoutParams })],
  [3, act('create payment', { pick, params: paymentParams })],
  [3, act('create card session', { pick, subscription: optionalPick, params: cardSessionParams })],
  [2, act('create portal session', { pick, params: portalSessionParams })],
  [1, act('expire', { pick })],
  [7, act('submit', { pick, number: fc.constantFrom(...numbers) })],
  [3, act('answer', { pick, isApproved })],
  [3, act('complete', { pick, alias: fc.constantFrom(...TEST_CARDS.map(({ alias }) => alias)), isApproved })],
  [
    6,
    act('wait', {
      seconds: fc.constantFrom(0, 1, 3, 1800, 3600, DAY - 1, DAY, 5 * DAY, 30 * DAY, 31 * DAY, 90 * DAY),
    }),
  ],
  [
    1,
    act('create endpoint', {
      enabled_events: fc.subarray(['*', 'payment.*', 'checkout_session.completed', 'customer.created'], {
        minLength: 1,
      }),
    }),
  ],
  [1, act('delete endpoint', { pick })],
  [1, act('list', { limit: fc.integer({ min: 1, max: 100 }) })],
  [60, billingActs],
  [9, apiPaymentActs],
  [6, disputeActs],
  [1, deleteClock],
)

/** One random operation; a `pick` selects one of the objects that exist when the operation runs. */
export type RandomOperation = ValueOf<typeof randomOperations>

/** Creates a customer in real time and a customer on a test clock, and returns the cast of the sandbox. */
export async function createCast(sandbox: Sandbox): Promise<Cast> {
  const clock = await sandbox.call(api.testClocks.create, { frozen_time: START })
  const real = await sandbox.call(api.customers.create, { email: 'real@example.com' })
  const clocked = await sandbox.call(api.customers.create, {
    email: 'clocked@example.com',
    test_clock: clock.id,
  })
  return { customers: [real.id, clocked.id], sessions: [], portals: [], endpoints: [], clocks: [clock.id] }
}

/** Performs one operation, and adds the ids of created objects to `cast`. */
export async function perform(sandbox: Sandbox, cast: Cast, act: RandomOperation): Promise<void> {
  await PERFORM[act.act](sandbox, act as never, cast)
}

const LISTS = operations.filter(({ name }) => name.endsWith('.list'))

const PERFORM: Performers<RandomOperation> = {
  ...PERFORM_BILLING,
  ...PERFORM_API_PAYMENT,
  ...PERFORM_DISPUTE,
  'create customer': async (sandbox, { clock, params }, { customers, clocks }) => {
    const test_clock = clock === null ? {} : { test_clock: pickId(clocks, clock) }
    customers.push((await sandbox.call(api.customers.create, { ...params, ...test_clock })).id)
  },
  'update customer': (sandbox, { pick, params }, { customers }) =>
    sandbox.call(api.customers.update, { id: pickId(customers, pick), ...params }),
  'delete customer': (sandbox, { pick }, { customers }) =>
    sandbox.call(api.customers.delete, { id: pickId(customers, pick) }),
  'choose card': (sandbox, { pick, card }, { customers }) =>
    chooseCard(sandbox, pickId(customers, pick), card),
  'create checkout': async (sandbox, { pick, params }, { customers, sessions }) => {
    const customer = pickId(customers, pick)
    sessions.push((await sandbox.call(api.checkoutSessions.create, { ...params, customer })).id)
  },
  'create payment': async (sandbox, { pick, params }, { customers, sessions }) => {
    const customer = pickId(customers, pick)
    sessions.push((await sandbox.call(api.paymentSessions.create, { ...params, customer })).id)
  },
  'create card session': async (sandbox, { pick, subscription, params }, { customers, sessions }) => {
    const customer = pickId(customers, pick)
    const { use_for, ...rest } = params
    const { data } = await sandbox.store.list('subscriptions', { where: { customer }, limit: 100 })
    const ids = data.map(({ id }) => id)
    const use = subscription === null ? use_for && { use_for } : { subscription: pickId(ids, subscription) }
    sessions.push((await sandbox.call(api.cardSessions.create, { ...rest, ...use, customer })).id)
  },
  'create portal session': async (sandbox, { pick, params }, { customers, portals }) => {
    const customer = pickId(customers, pick)
    portals.push((await sandbox.call(api.portalSessions.create, { ...params, customer })).id)
  },
  'create endpoint': async (sandbox, { enabled_events }, { endpoints }) => {
    const params = { url: 'http://127.0.0.1:9/hook', enabled_events }
    endpoints.push((await sandbox.call(api.webhookEndpoints.create, params)).id)
  },
  'delete endpoint': (sandbox, { pick }, { endpoints }) =>
    sandbox.call(api.webhookEndpoints.delete, { id: pickId(endpoints, pick) }),
  wait: (sandbox, { seconds }) => sandbox.advance(seconds),
  list: async (sandbox, { limit }) => {
    for (const { operation } of LISTS) await sandbox.call(operation, { limit })
  },
  expire: (sandbox, { pick }, { sessions, portals }) => {
    const id = pickId([...sessions, ...portals], pick)
    const { expire } = id.startsWith('pt_sess_') ? api.portalSessions : sessionOperations(id)
    return sandbox.send(expire, { id })
  },
  submit: async (sandbox, { pick, number }, { sessions }) =>
    sessions.length > 0 && sandbox.submit(pickId(sessions, pick), typed(number)),
  answer: async (sandbox, { pick, isApproved }, { sessions }) =>
    sessions.length > 0 && sandbox.answer(pickId(sessions, pick), isApproved),
  complete: (sandbox, { pick, alias, isApproved }, { sessions }) => {
    const id = pickId(sessions, pick)
    const body = { test_card: alias, three_d_secure: isApproved ? 'approve' : 'reject' }
    return sandbox.send(sessionOperations(id).complete, { id, body })
  },
}

function sessionOperations(id: string) {
  if (id.startsWith('cd_sess_')) return api.cardSessions
  return id.startsWith('cks_') ? api.checkoutSessions : api.paymentSessions
}
