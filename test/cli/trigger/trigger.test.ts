import { api } from '../../../src/api/api.ts'
import { createOpenApiDocument } from '../../../src/api/openapi/openapi.ts'
import { findResourceOfId } from '../../../src/api/resources/catalog.ts'
import { ExpectationError } from '../../../src/cli/errors/expectation-error.ts'
import { UsageError } from '../../../src/cli/errors/usage-error.ts'
import { listTriggers, triggerEvent } from '../../../src/cli/trigger/trigger.ts'
import { parseOverrides } from '../../../src/cli/trigger/trigger-overrides.ts'
import { ApiError } from '../../../src/client/api-error.ts'
import { EVENT_TYPES } from '../../../src/domain/core/event-types.ts'
import { openDaemon, type TestDaemon } from '../../support/daemon.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/trigger')

const DUNNING = { retry_days: [3], on_exhausted: 'unpaid' } as const

let daemon: TestDaemon

test.before(async () => {
  daemon = await openDaemon({ dunning: DUNNING })
})

test.after(() => daemon?.stop())

interface Given {
  readonly id?: string
  readonly override?: string[]
  readonly add?: string[]
  readonly remove?: string[]
}

function cause(type: string, { id, override = [], add = [], remove = [] }: Given = {}) {
  return triggerEvent(daemon.client, type, { id, overrides: parseOverrides({ override, add, remove }) })
}

/** Triggers an event, and returns the id of the object with this prefix that it created. */
async function idFrom(type: string, prefix: string): Promise<string> {
  return (await cause(type)).made.find((id) => findResourceOfId(id)?.idPrefix === prefix) ?? ''
}

async function errorOf(work: Promise<unknown>): Promise<UsageError | ExpectationError> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (error instanceof UsageError || error instanceof ExpectationError) return error
  throw error ?? new Error('expected an error')
}

test('lists the event types of the OpenAPI document', () => {
  const documented = Object.keys(
    createOpenApiDocument({ apiUrl: 'http://127.0.0.1:4100', version: '0.0.0' }).webhooks,
  )
  assert.equal(documented.toSorted(), [...EVENT_TYPES].toSorted())
  assert.equal(
    listTriggers().map(({ type }) => type),
    [...EVENT_TYPES],
  )
})

for (const type of EVENT_TYPES) {
  test(`triggers ${type} and returns its event and the created objects`, async () => {
    const triggered = await cause(type)
    assert.is(triggered.type, type)
    const event = await daemon.call(api.events.retrieve, { id: triggered.event })
    assert.is(event.type, type)
    assert.ok(triggered.events.some(({ id }) => id === event.id))
    const hasEvent = (id: string) => triggered.events.some(({ object }) => object === id)
    assert.ok(triggered.made.length > 0 && triggered.made.every(hasEvent))
  })
}

/** Columns: event, prefix of an object that the event creates, events triggered with that object. */
const EXISTING: readonly (readonly [creator: string, prefix: string, uses: readonly string[]])[] = [
  [
    'customer.created',
    'cus_',
    ['customer.updated', 'payment.succeeded', 'checkout_session.completed', 'payment.canceled'],
  ],
  ['customer.created', 'cus_', ['customer.deleted']],
  ['checkout_session.created', 'cks_', ['checkout_session.completed']],
  ['checkout_session.created', 'cks_', ['checkout_session.expired']],
  ['payment_session.created', 'py_sess_', ['payment.failed', 'payment.succeeded', 'payment.refunded']],
  ['payment.succeeded', 'py_', ['payment.refunded']],
  ['payment_method.attached', 'pm_', ['payment_method.detached']],
  ['subscription.renewed', 'sub_', ['subscription.renewed', 'subscription.updated', 'subscription.canceled']],
  ['invoice.sent', 'in_', ['invoice.marked_uncollectible', 'invoice.paid']],
  ['invoice.sent', 'in_', ['invoice.voided']],
  [
    'test_clock.created',
    'clock_',
    ['test_clock.ready', 'subscription.renewed', 'refund.failed', 'test_clock.deleted'],
  ],
]

for (const [maker, prefix, uses] of EXISTING) {
  test(`triggers ${uses.join(', then ')} with the object that ${maker} created`, async () => {
    const id = await idFrom(maker, prefix)
    for (const type of uses) {
      const { event, made } = await cause(type, { id })
      assert.not(made.includes(id))
      assert.is((await daemon.call(api.events.retrieve, { id: event })).type, type)
    }
  })
}

test('triggers customer.updated repeatedly for the same customer', async () => {
  const id = await idFrom('customer.created', 'cus_')
  await cause('customer.updated', { id })
  await cause('customer.updated', { id })
  const customer = await daemon.call(api.customers.retrieve, { id })
  assert.equal('metadata' in customer && customer.metadata, { triggers: '2' })
})

test('overrides, adds and removes parameters of created objects', async () => {
  const { made } = await cause('payment.succeeded', {
    override: ['payment_session.amount=250', 'customer.email=grace@example.com'],
    add: ['payment_session.metadata={"order":"42"}', 'customer.phone=+43 1 234'],
    remove: ['customer.name'],
  })
  const [customerId = ''] = made
  const session = await daemon.call(api.paymentSessions.retrieve, {
    id: made.find((id) => id.startsWith('py_sess_')) ?? '',
  })
  assert.equal([session.amount, session.metadata], [250, { order: '42' }])
  const customer = await daemon.call(api.customers.retrieve, { id: customerId })
  if ('deleted' in customer) throw new Error('the customer was deleted')
  assert.equal([customer.email, customer.phone, customer.name], ['grace@example.com', '+43 1 234', null])
})

test('rejects overrides of objects that the trigger does not create', async () => {
  const id = await idFrom('customer.created', 'cus_')
  const given = await errorOf(cause('customer.updated', { id, override: ['customer.email=x@example.com'] }))
  assert.is(
    given.message,
    `Cannot change 'customer': triggering customer.updated with '${id}' does not create one.`,
  )
  assert.is(given.hint, 'It creates no objects: omit the flag.')
  const session = await errorOf(
    cause('payment.succeeded', { id, override: ['customer.email=x@example.com'] }),
  )
  assert.is(session.hint, 'It creates: payment_session.')
  const clock = await errorOf(cause('customer.created', { override: ['test_clock.name=mine'] }))
  assert.equal([clock.code, clock.hint], ['path_unknown', 'It creates: customer.'])
})

for (const { type, id: prefixes, makes } of listTriggers()) {
  for (const prefix of prefixes.filter((one) => ['sub_', 'in_', 'pm_'].includes(one))) {
    test(`rejects overrides for ${type} with an existing ${prefix}… object before the first request`, async () => {
      const [object = ''] = makes
      const error = await errorOf(cause(type, { id: `${prefix}nowhere`, override: [`${object}.name=x`] }))
      const isItem = prefix === 'sub_' && makes.includes('invoice_item')
      const hint = isItem ? 'It creates: invoice_item.' : 'It creates no objects: omit the flag.'
      assert.equal([error.code, error.hint], ['path_unknown', hint])
    })
  }
}

test('overrides a parameter of an invoice item of an existing subscription', async () => {
  const id = await idFrom('subscription.created', 'sub_')
  const { made } = await cause('invoice_item.created', { id, override: ['invoice_item.unit_amount=99'] })
  const item = await daemon.call(api.invoiceItems.retrieve, { id: made[0] ?? '' })
  assert.equal('unit_amount' in item && [item.subscription, item.unit_amount], [id, 99])
})

test('creates the missing parent objects of an added parameter', async () => {
  const { made } = await cause('checkout_session.created', {
    add: [
      'checkout_session.subscription_data.metadata.order=42',
      'checkout_session.subscription_data.metadata.tier=gold',
      'customer.metadata.order=7',
    ],
  })
  const [customerId = '', sessionId = ''] = made
  const customer = await daemon.call(api.customers.retrieve, { id: customerId })
  assert.equal('metadata' in customer && customer.metadata, { order: '7' })
  const { subscription_data } = await daemon.call(api.checkoutSessions.retrieve, { id: sessionId })
  assert.equal(subscription_data.metadata, { order: '42', tier: 'gold' })
})

test('creates a list for its first added entry and appends further entries', () => {
  const { apply } = parseOverrides({
    override: [],
    remove: [],
    add: ['a.b[0].c=1', 'a.b[1].c=2', 'a.d[0]=3'],
  })
  assert.equal(apply('a', { d: [] }), { d: [3], b: [{ c: 1 }, { c: 2 }] })
})

test('overrides a parameter inside a list', async () => {
  const { made } = await cause('checkout_session.created', {
    override: ['checkout_session.subscription_data.items[0].price_data.amount=500'],
  })
  const id = made.find((one) => one.startsWith('cks_')) ?? ''
  assert.is((await daemon.call(api.checkoutSessions.retrieve, { id })).amount_subtotal, 500)
})

const REFUSED: readonly (readonly [type: string, given: Given, code: string, says: RegExp])[] = [
  ['customer.created', { override: ['customer.emial=x'] }, 'path_unknown', /expected one of email, name/],
  ['customer.created', { override: ['customer.email.x=1'] }, 'path_unknown', /the path ends before it/],
  ['customer.created', { remove: ['customer.phone'] }, 'path_unknown', /expected one of email, name/],
  ['customer.created', { add: ['customer.email=x'] }, 'path_unknown', /use --override/],
  ['customer.created', { override: ['invoice.amount=1'] }, 'path_unknown', /Cannot change 'invoice'/],
  ['customer.created', { override: ['customer'] }, 'flag_invalid', /Invalid --override 'customer'/],
  ['customer.created', { id: 'cus_1' }, 'id_unusable', /Cannot trigger customer.created with 'cus_1'/],
  ['invoice.sold', {}, 'event_type_unknown', /No event type matches/],
  ['invoice.*', {}, 'event_type_unknown', /expected one event type/],
]

for (const [type, given, code, says] of REFUSED) {
  test(`rejects ${type} with ${JSON.stringify(given)} before it creates an object`, async () => {
    const before = (await daemon.call(api.customers.list, { limit: 1 })).data
    const error = await errorOf((async () => cause(type, given))())
    assert.is(error.code, code)
    assert.match(error.message, says)
    assert.equal((await daemon.call(api.customers.list, { limit: 1 })).data, before)
  })
}

test('rejects a subscription without a test clock if the event requires a clock advance', async () => {
  const id = await idFrom('subscription.created', 'sub_')
  const error = await errorOf(cause('subscription.renewed', { id }))
  assert.is(error.code, 'id_unusable')
  assert.match(error.message, 'is in real time')
  assert.match(error.hint ?? '', /^Omit --id.* on a test clock: paycli clock create$/)
})

/** Events that create an object, that make the object unusable, and that then fail. */
const SPENT = [
  {
    ...{ maker: 'customer.created', prefix: 'cus_', ending: 'customer.deleted', uses: 'customer.updated' },
    ...{ says: /was deleted/, hint: /paycli customers list$/ },
  },
  {
    ...{ maker: 'subscription.renewed', prefix: 'sub_', ending: 'subscription.canceled' },
    ...{ uses: 'subscription.renewed', says: /is canceled, which is final/ },
    hint: /paycli subscriptions list --status active$/,
  },
]

for (const { maker, prefix, ending, uses, says, hint } of SPENT) {
  test(`rejects ${uses} with an object that ${ending} made unusable, and prints the reason`, async () => {
    const id = await idFrom(maker, prefix)
    await cause(ending, { id })
    const error = await errorOf(cause(uses, { id }))
    assert.is(error.code, 'id_unusable')
    assert.match(error.message, says)
    assert.match(error.hint ?? '', hint)
    assert.not.match(error.hint ?? '', 'clock')
  })
}

/**
 * Columns: event that creates an object, prefix of the object id, event that the state of the object does not allow,
 * error code.
 */
const WRONG_STATES: readonly (readonly [maker: string, prefix: string, uses: string, code: string])[] = [
  ['checkout_session.completed', 'cks_', 'checkout_session.completed', 'checkout_session_unexpected_state'],
  ['payment_session.expired', 'py_sess_', 'payment.failed', 'payment_session_unexpected_state'],
  ['subscription.canceled', 'sub_', 'subscription.canceled', 'subscription_unexpected_state'],
  ['invoice.voided', 'in_', 'invoice.paid', 'invoice_unexpected_state'],
  ['payment_method.detached', 'pm_', 'payment_method.detached', 'payment_method_unexpected_state'],
]

for (const [maker, prefix, uses, code] of WRONG_STATES) {
  test(`rejects ${uses} after ${maker} with the API error ${code}`, async () => {
    const id = await idFrom(maker, prefix)
    const error = await cause(uses, { id }).catch((thrown: unknown) => thrown)
    assert.ok(error instanceof ApiError, String(error))
    assert.is(error instanceof ApiError && error.error.code, code)
  })
}

test('throws if the requested event does not occur', async () => {
  const other = await openDaemon({ dunning: { retry_days: [1], on_exhausted: 'cancel' } })
  const error = await errorOf(triggerEvent(other.client, 'subscription.unpaid'))
  assert.is(error.code, 'assertion')
  assert.match(error.message, /Expected subscription\.unpaid, but this server cancels/)
  const [clock] = (await other.call(api.testClocks.list, {})).data
  assert.is(
    error.hint,
    `Delete the new customer: paycli clock delete ${clock?.id}\nStop the server: paycli stop\nStart it again: paycli serve --on-exhausted unpaid`,
  )
  await other.stop()
})

test.run()
