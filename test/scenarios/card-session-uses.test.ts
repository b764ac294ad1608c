import { api } from '../../src/api/api.ts'
import type { ParamsOf } from '../../src/api/core/operation.ts'
import type { Subscription } from '../../src/domain/billing/subscriptions.ts'
import { checkInvariants } from '../../src/engine/invariants.ts'
import { invoicesOf, subscribe, toNextPeriod } from '../support/billing.ts'
import { liveCustomer, newCardSession, newCustomer } from '../support/samples.ts'
import { catchDomainError, createSandbox, DAY, type Sandbox } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('scenarios/card-session-uses')

type Fields = Partial<ParamsOf<typeof api.cardSessions.create>>
type TestCard = ParamsOf<typeof api.cardSessions.complete>['test_card']

/** A past due customer: one subscription has its own card, one uses the default card, one is paid by invoice. */
interface Debtor {
  readonly customer: string
  readonly own: Subscription
  readonly shared: Subscription
  readonly sent: Subscription
}

async function createDebtor(sandbox: Sandbox): Promise<Debtor> {
  const { id: customer } = await newCustomer(sandbox)
  const own = await subscribe(sandbox, { customer, card: 'renewal_no_funds' })
  const shared = await subscribe(sandbox, { customer, card: 'renewal_no_funds' })
  const sent = await subscribe(sandbox, { customer, collection_method: 'send_invoice', days_until_due: 5 })
  await sandbox.call(api.subscriptions.update, { id: shared.id, default_payment_method: null })
  await toNextPeriod(sandbox, own.id)
  return { customer, own, shared, sent }
}

/** Completes a new card session and returns its saved card. */
async function updateCard(sandbox: Sandbox, fields: Fields, test_card: TestCard = 'visa'): Promise<string> {
  const { id } = await newCardSession(sandbox, fields)
  const session = await sandbox.call(api.cardSessions.complete, { id, test_card })
  return session.payment_method ?? ''
}

/** Describes the debtor: the default card of the customer, and the card and newest invoice of each subscription. */
async function describe(sandbox: Sandbox, debtor: Debtor, card: string): Promise<string> {
  const nameOf = (id: string | null) => (id === card ? 'new' : id === null ? 'none' : 'old')
  const { default_payment_method } = await liveCustomer(sandbox, debtor.customer)
  const parts = [`customer:${nameOf(default_payment_method)}`]
  for (const name of ['own', 'shared', 'sent'] as const) {
    const { id } = debtor[name]
    const subscription = await sandbox.call(api.subscriptions.retrieve, { id })
    const invoice = (await invoicesOf(sandbox, id)).at(-1)
    parts.push(`${name}:${nameOf(subscription.default_payment_method)},${invoice?.status}`)
  }
  return parts.join(' ')
}

/** Columns: use, fields, the cards and newest invoices afterwards. */
const USES: readonly (readonly [string, (debtor: Debtor) => Fields, string])[] = [
  ['all', () => ({}), 'customer:new own:new,paid shared:none,paid sent:none,open'],
  [
    'all, without paying',
    () => ({ pay_open_invoices: false }),
    'customer:new own:new,open shared:none,open sent:none,open',
  ],
  [
    'the customer',
    () => ({ use_for: 'customer' }),
    'customer:new own:old,open shared:none,paid sent:none,open',
  ],
  [
    'the customer, without paying',
    () => ({ use_for: 'customer', pay_open_invoices: false }),
    'customer:new own:old,open shared:none,open sent:none,open',
  ],
  [
    'a subscription with its own card',
    ({ own }) => ({ subscription: own.id }),
    'customer:old own:new,paid shared:none,open sent:none,open',
  ],
  [
    'a subscription without its own card',
    ({ shared }) => ({ use_for: 'subscription', subscription: shared.id }),
    'customer:old own:old,open shared:new,paid sent:none,open',
  ],
  [
    'a subscription, without paying',
    ({ own }) => ({ subscription: own.id, pay_open_invoices: false }),
    'customer:old own:new,open shared:none,open sent:none,open',
  ],
  [
    'a subscription that is paid by invoice',
    ({ sent }) => ({ subscription: sent.id }),
    'customer:old own:old,open shared:none,open sent:new,open',
  ],
]

for (const [use, fieldsOf, wanted] of USES) {
  test(`a new card for ${use} sets the expected default cards and invoice statuses`, async () => {
    const sandbox = createSandbox()
    const debtor = await createDebtor(sandbox)
    const card = await updateCard(sandbox, { customer: debtor.customer, ...fieldsOf(debtor) })
    assert.is(await describe(sandbox, debtor, card), wanted)
    assert.equal(checkInvariants(await sandbox.snapshot()), [])
  })
}

test('pays the open invoices of several subscriptions in one transaction, oldest period first', async () => {
  const sandbox = createSandbox({ dunning: { retry_days: [60], on_exhausted: 'cancel' } })
  const { id: customer } = await newCustomer(sandbox)
  const failing = { customer, card: 'renewal_no_funds' }
  const monthly = await subscribe(sandbox, failing)
  await sandbox.advance(DAY)
  const weekly = await subscribe(sandbox, { ...failing, interval: 'week', currency: 'jpy' })
  await sandbox.advance(40 * DAY)
  const before = (await sandbox.events()).length
  const card = await updateCard(sandbox, { customer })
  const caused = (await sandbox.events()).slice(before + 1)
  const paid = caused.filter(({ type }) => type === 'invoice.paid').map(({ data }) => data.object)
  const starts = paid.map((invoice) => Number('period_start' in invoice && invoice.period_start))
  assert.ok(paid.length > 3)
  assert.equal(
    starts,
    starts.toSorted((a, b) => a - b),
  )
  assert.equal(new Set(caused.map(({ request }) => request?.id)).size, 1)
  assert.is(caused.at(-1)?.type, 'card_session.completed')
  for (const { id } of [monthly, weekly]) {
    const subscription = await sandbox.call(api.subscriptions.retrieve, { id })
    assert.is(subscription.status, 'active')
    assert.ok((await invoicesOf(sandbox, id)).every(({ status }) => status === 'paid'))
  }
  const { data } = await sandbox.call(api.payments.list, { customer, status: 'succeeded', limit: 100 })
  const own = data.filter(({ payment_method }) => payment_method === card)
  assert.equal(
    own.map(({ off_session }) => off_session),
    paid.map(() => false),
  )
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

test('the alternating card counts its charges across the invoices of one transaction', async () => {
  const sandbox = createSandbox()
  const { customer, own, shared } = await createDebtor(sandbox)
  await updateCard(sandbox, { customer }, 'every_other')
  const statuses = await Promise.all(
    [own, shared].map(async ({ id }) => (await invoicesOf(sandbox, id)).at(-1)?.status),
  )
  assert.equal(statuses.toSorted(), ['open', 'paid'])
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

test('saves a card when the issuer declines the invoice, and does not change the retry schedule', async () => {
  const sandbox = createSandbox()
  const { customer, own } = await createDebtor(sandbox)
  const before = (await invoicesOf(sandbox, own.id)).at(-1)
  const card = await updateCard(sandbox, { customer }, 'decline_after_attach')
  const after = (await invoicesOf(sandbox, own.id)).at(-1)
  assert.is((await liveCustomer(sandbox, customer)).default_payment_method, card)
  assert.is(after?.status, 'open')
  assert.is(after?.next_payment_attempt, before?.next_payment_attempt)
  assert.is(after?.last_payment_error?.decline_code, 'generic_decline')
})

test('cancels the pending 3-D Secure payment of an invoice that the new card pays', async () => {
  const sandbox = createSandbox()
  const { customer, own } = await createDebtor(sandbox)
  const invoice = (await invoicesOf(sandbox, own.id)).at(-1)
  const asked = await sandbox.call(api.paymentMethods.listOfCustomer, { id: customer })
  assert.is(asked.data.length, 2)
  const sca = await updateCard(sandbox, { customer, pay_open_invoices: false }, 'sca_required')
  const id = invoice?.id ?? ''
  await catchDomainError(sandbox.call(api.invoices.pay, { id, payment_method: sca, off_session: false }))
  await updateCard(sandbox, { customer })
  const { data } = await sandbox.call(api.payments.list, { invoice: id })
  assert.equal(
    data.map(({ status }) => status),
    ['succeeded', 'canceled', 'failed'],
  )
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

test('saves the card without paying when its subscription was canceled after the session was created', async () => {
  const sandbox = createSandbox()
  const { customer, own } = await createDebtor(sandbox)
  const session = await newCardSession(sandbox, { customer, subscription: own.id })
  await sandbox.call(api.subscriptions.cancel, { id: own.id })
  await sandbox.call(api.cardSessions.complete, { id: session.id, test_card: 'visa' })
  assert.is((await invoicesOf(sandbox, own.id)).at(-1)?.status, 'open')
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

/** Columns: fields, code, parameter. */
const INVALID: readonly (readonly [(debtor: Debtor, other: Subscription) => Fields, string, string])[] = [
  [() => ({ use_for: 'subscription' }), 'parameter_missing', 'subscription'],
  [({ own }) => ({ use_for: 'all', subscription: own.id }), 'parameters_exclusive', 'subscription'],
  [({ own }) => ({ use_for: 'customer', subscription: own.id }), 'parameters_exclusive', 'subscription'],
  [() => ({ subscription: 'sub_unknown' }), 'resource_missing', 'subscription'],
  [(_, other) => ({ subscription: other.id }), 'subscription_unexpected_customer', 'subscription'],
  [() => ({ expires_at: 1 }), 'expires_at_out_of_range', 'expires_at'],
  [() => ({ customer: 'cus_unknown' }), 'resource_missing', 'customer'],
]

for (const [fieldsOf, code, param] of INVALID) {
  test(`rejects a new session with ${code} of ${param}`, async () => {
    const sandbox = createSandbox()
    const debtor = await createDebtor(sandbox)
    const other = await subscribe(sandbox)
    const error = await catchDomainError(
      newCardSession(sandbox, { customer: debtor.customer, ...fieldsOf(debtor, other) }),
    )
    assert.equal([error.code, error.details.param], [code, param])
  })
}

test('rejects a session for a canceled subscription', async () => {
  const sandbox = createSandbox()
  const { customer, own } = await createDebtor(sandbox)
  await sandbox.call(api.subscriptions.cancel, { id: own.id })
  const error = await catchDomainError(newCardSession(sandbox, { customer, subscription: own.id }))
  assert.is(error.code, 'subscription_unexpected_state')
})

test.run()
