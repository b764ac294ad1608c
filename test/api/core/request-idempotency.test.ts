import { api } from '../../../src/api/api.ts'
import type { Customer } from '../../../src/domain/payments/customers.ts'
import { DEFAULT_RETENTION } from '../../../src/domain/time/retention.ts'
import { checkInvariants } from '../../../src/engine/invariants.ts'
import { deleteExpiredRecords } from '../../../src/engine/retention.ts'
import { createClock, holdAdvances, interruptAdvance } from '../../support/clocks.ts'
import { errorCodeOf, type IdempotentRequest, sendIdempotent } from '../../support/idempotent-requests.ts'
import { newCheckout, newCustomer, newPaymentSession } from '../../support/samples.ts'
import { createSandbox, DAY, type Sandbox, START } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('api/idempotent-request')

const ADA = { operation: api.customers.create, key: 'key 1', body: { email: 'ada@example.com', name: 'Ada' } }

async function customersIn(sandbox: Sandbox): Promise<number> {
  return (await sandbox.call(api.customers.list, { limit: 100 })).data.length
}

test('executes a request once per idempotency key and replays the same bytes', async () => {
  const sandbox = createSandbox()
  const first = await sendIdempotent(sandbox.runtime, ADA)
  await sandbox.advance(60)
  const second = await sendIdempotent(sandbox.runtime, ADA)
  const [event, ...more] = await sandbox.events()
  assert.equal([first.status, first.replayOf], [200, null])
  assert.equal(second, { ...first, replayOf: event?.request?.id })
  assert.equal([more.length, await customersIn(sandbox)], [0, 1])
})

test('masks a card number in an idempotency key that an event contains', async () => {
  const sandbox = createSandbox()
  await sendIdempotent(sandbox.runtime, { ...ADA, key: 'order-4242 4242 4242 4242' })
  assert.is((await sandbox.events())[0]?.request?.idempotency_key, 'order-[card number ending in 4242]')
})

test('replays the response for reordered fields and for a quoted idempotency key', async () => {
  const sandbox = createSandbox()
  const first = await sendIdempotent(sandbox.runtime, ADA)
  const body = { name: 'Ada', email: 'ada@example.com' }
  assert.is((await sendIdempotent(sandbox.runtime, { ...ADA, key: '"key 1"', body })).body, first.body)
  const [event] = await sandbox.events()
  assert.is(event?.request?.idempotency_key, 'key 1')
})

test('replays the response to a request without a body for a request with an empty object', async () => {
  const sandbox = createSandbox()
  const { id } = await newCheckout(sandbox)
  const expire = { operation: api.checkoutSessions.expire, key: 'k', id }
  const first = await sendIdempotent(sandbox.runtime, expire)
  assert.is((await sendIdempotent(sandbox.runtime, { ...expire, body: {} })).body, first.body)
})

const OTHERS: Readonly<Record<string, Partial<IdempotentRequest>>> = {
  'another value': { body: { email: 'ada@example.com', name: 'Eve' } },
  'one field more': { body: { email: 'ada@example.com', name: 'Ada', phone: '1' } },
  'one field less': { body: { email: 'ada@example.com' } },
  'another type': { body: { email: 'ada@example.com', name: ['Ada'] } },
  'a body that is not valid at all': { body: { email: 7 } },
  'another path': { operation: api.webhookEndpoints.create },
}

for (const [what, other] of Object.entries(OTHERS)) {
  test(`returns 422 for a used idempotency key with ${what}`, async () => {
    const sandbox = createSandbox()
    await sendIdempotent(sandbox.runtime, ADA)
    const before = await sandbox.snapshot()
    const refused = await sendIdempotent(sandbox.runtime, { ...ADA, ...other })
    assert.equal([refused.status, errorCodeOf(refused)], [422, 'idempotency_key_reused'])
    assert.equal(await sandbox.snapshot(), before)
  })
}

test('returns 422 for a used idempotency key with another id in the path', async () => {
  const sandbox = createSandbox()
  const [one, two] = [await newCustomer(sandbox), await newCustomer(sandbox)]
  const rename = (id: string): IdempotentRequest => ({
    operation: api.customers.update,
    key: 'k',
    id,
    body: { name: 'A' },
  })
  await sendIdempotent(sandbox.runtime, rename(one.id))
  assert.is((await sendIdempotent(sandbox.runtime, rename(two.id))).status, 422)
})

test('reports a malformed body before it checks the idempotency key', async () => {
  const sandbox = createSandbox()
  await sendIdempotent(sandbox.runtime, ADA)
  assert.is(errorCodeOf(await sendIdempotent(sandbox.runtime, { ...ADA, body: [] })), 'invalid_json')
  assert.is(errorCodeOf(await sendIdempotent(sandbox.runtime, { ...ADA, key: '', body: [] })), 'invalid_json')
  assert.is(
    errorCodeOf(await sendIdempotent(sandbox.runtime, { ...ADA, key: '', body: {} })),
    'idempotency_key_invalid',
  )
})

test('executes one of several concurrent requests with the same idempotency key, and returns its response to all', async () => {
  const sandbox = createSandbox()
  const responses = await Promise.all(Array.from({ length: 20 }, () => sendIdempotent(sandbox.runtime, ADA)))
  assert.is(new Set(responses.map(({ body }) => body)).size, 1)
  assert.is(responses.filter(({ replayOf }) => replayOf === null).length, 1)
  assert.is(await customersIn(sandbox), 1)
})

test('accepts the idempotency key for a new request after 24 hours, before and after its record is deleted', async () => {
  for (const isDeleted of [false, true]) {
    const sandbox = createSandbox()
    await sendIdempotent(sandbox.runtime, ADA)
    await sandbox.advance(DAY - 1)
    assert.is.not((await sendIdempotent(sandbox.runtime, ADA)).replayOf, null)
    await sandbox.advance(1)
    if (isDeleted) await deleteExpiredRecords(sandbox.runtime, DEFAULT_RETENTION)
    const other = { ...ADA, body: { email: 'eve@example.com' } }
    assert.is((await sendIdempotent(sandbox.runtime, other)).replayOf, null)
    await sandbox.advance(DAY - 1)
    assert.is.not((await sendIdempotent(sandbox.runtime, other)).replayOf, null)
    assert.is(await customersIn(sandbox), 2)
  }
})

/** Columns: error code, status, whether the response is stored, the request. */
const ERROR_RESPONSES: readonly (readonly [
  code: string,
  status: number,
  isStored: boolean,
  prepare: (sandbox: Sandbox) => Promise<Omit<IdempotentRequest, 'key'>>,
])[] = [
  ['card_declined', 402, true, async (sandbox) => complete(sandbox, 'declined')],
  ['parameters_exclusive', 400, false, async (sandbox) => complete(sandbox, 'visa', { card: {} })],
  [
    'payment_session_unexpected_state',
    400,
    true,
    async (sandbox) => {
      const { id } = await newPaymentSession(sandbox)
      await sandbox.call(api.paymentSessions.expire, { id })
      return { operation: api.paymentSessions.expire, id }
    },
  ],
  ['test_clock_not_forward', 400, true, async (sandbox) => advance(sandbox, START)],
  ['timestamp_invalid', 400, false, async (sandbox) => advance(sandbox, 100_000_000_000)],
  [
    'test_clock_advancing',
    409,
    false,
    async (sandbox) => {
      const request = await advance(sandbox, START + 2 * DAY)
      await interruptAdvance(sandbox, request.id, START + DAY)
      return request
    },
  ],
  ['parameter_missing', 400, false, async (sandbox) => ({ ...(await advance(sandbox, 0)), body: {} })],
  ['parameter_missing', 400, false, async () => ({ operation: api.customers.create, body: {} })],
  ['email_invalid', 400, false, async () => ({ operation: api.customers.create, body: { email: 'no' } })],
  [
    'resource_missing',
    404,
    false,
    async () => ({ operation: api.customers.update, id: 'cus_none', body: {} }),
  ],
  [
    'resource_missing',
    400,
    false,
    async () => ({ operation: api.refunds.create, body: { payment: 'py_none' } }),
  ],
  [
    'payment_not_refundable',
    400,
    true,
    async (sandbox) => {
      const declined = await complete(sandbox, 'declined')
      await sendIdempotent(sandbox.runtime, { ...declined, key: 'another' })
      const [payment] = (await sandbox.call(api.payments.list, {})).data
      return { operation: api.refunds.create, body: { payment: payment?.id } }
    },
  ],
]

async function complete(sandbox: Sandbox, test_card: string, more: object = {}) {
  const { id } = await newPaymentSession(sandbox)
  return { operation: api.paymentSessions.complete, id, body: { test_card, ...more } }
}

async function advance(sandbox: Sandbox, frozen_time: number) {
  const { id } = await createClock(sandbox)
  return { operation: api.testClocks.advance, id, body: { frozen_time } }
}

for (const [code, status, isStored, prepare] of ERROR_RESPONSES) {
  test(`${isStored ? 'stores' : 'does not store'} the response ${status} ${code} for replay`, async () => {
    const sandbox = createSandbox()
    const keyed = { ...(await prepare(sandbox)), key: 'k' }
    const [first, again] = [
      await sendIdempotent(sandbox.runtime, keyed),
      await sendIdempotent(sandbox.runtime, keyed),
    ]
    assert.equal([first.status, errorCodeOf(first), first.replayOf], [status, code, null])
    assert.equal([again.status, errorCodeOf(again)], [status, code])
    const isReplay = [again.replayOf !== null, again.body === first.body]
    assert.equal(isReplay, [isStored, isStored])
  })
}

test('leaves the idempotency key unused after an internal error', async () => {
  const sandbox = createSandbox()
  const runtime = {
    ...sandbox.runtime,
    newId: () => {
      throw new Error('no more ids')
    },
  }
  assert.instance(await sendIdempotent(runtime, ADA).catch((thrown: unknown) => thrown), Error)
  assert.equal([(await sendIdempotent(sandbox.runtime, ADA)).replayOf, await customersIn(sandbox)], [null, 1])
})

test('replays a response with a secret for the same idempotency key, and stores the secret only encrypted', async () => {
  const sandbox = createSandbox()
  const keyed = { operation: api.webhookEndpoints.create, key: 'k', body: { url: 'http://127.0.0.1:9/' } }
  const first = await sendIdempotent(sandbox.runtime, keyed)
  assert.match(first.body, '"secret":"whsec_')
  assert.is((await sendIdempotent(sandbox.runtime, keyed)).body, first.body)
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

test('returns idempotency_key_in_use for the key of an advance until the advance is complete', async () => {
  const sandbox = createSandbox()
  const keyed = { ...(await advance(sandbox, START + DAY)), key: 'k' }
  const held = holdAdvances(sandbox)
  const advancing = sendIdempotent(held.runtime, keyed)
  await held.begun
  const meanwhile = await sendIdempotent(sandbox.runtime, keyed)
  held.release()
  const first = await advancing
  assert.equal([first.status, meanwhile.status, errorCodeOf(meanwhile)], [200, 409, 'idempotency_key_in_use'])
  const again = await sendIdempotent(sandbox.runtime, keyed)
  assert.equal([again.body, again.replayOf === null], [first.body, false])
  const readyEvents = (await sandbox.events()).filter(({ type }) => type === 'test_clock.ready')
  assert.equal(
    readyEvents.map(({ request }) => request),
    [{ id: again.replayOf, idempotency_key: 'k' }],
  )
})

test('deletes the record of a completed advance and keeps its stored response', async () => {
  const sandbox = createSandbox()
  const request = await advance(sandbox, START + DAY)
  await sendIdempotent(sandbox.runtime, { ...request, key: 'k' })
  await sandbox.call(api.testClocks.advance, { id: request.id, frozen_time: START + 2 * DAY })
  const { records } = await sandbox.snapshot()
  assert.equal([records.advances.length, records.idempotency_keys.length], [0, 1])
})

test('leaves the idempotency key of a failed advance unused', async () => {
  const sandbox = createSandbox()
  const clock = await createClock(sandbox)
  const { id: customer } = (await sandbox.call(api.customers.create, {
    email: 'ada@example.com',
    test_clock: clock.id,
  })) as Customer
  const { id } = await newCheckout(sandbox, {}, { customer })
  await sandbox.call(api.checkoutSessions.complete, { id, test_card: 'visa' })
  const keyed = {
    operation: api.testClocks.advance,
    key: 'k',
    id: clock.id,
    body: { frozen_time: START + 40 * DAY },
  }
  const runtime = {
    ...sandbox.runtime,
    newId: (prefix: Parameters<typeof sandbox.runtime.newId>[0]) => {
      if (prefix === 'il_') throw new Error('out of lines')
      return sandbox.runtime.newId(prefix)
    },
  }
  const error = await sendIdempotent(runtime, keyed).catch((thrown: unknown) => thrown)
  assert.match(String(error), 'out of lines')
  const again = await sendIdempotent(sandbox.runtime, keyed)
  assert.equal([errorCodeOf(again), again.replayOf], ['test_clock_failed', null])
  const { records } = await sandbox.snapshot()
  assert.is(records.advances.length, 0)
})

test.run()
