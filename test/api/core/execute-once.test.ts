import { api } from '../../../src/api/index.ts'
import type { Customer } from '../../../src/domain/customers.ts'
import { DEFAULT_RETENTION } from '../../../src/domain/retention.ts'
import { checkInvariants } from '../../../src/engine/invariants.ts'
import { dropExpired } from '../../../src/engine/retention.ts'
import { heldAdvances, newClock, stopAmidAdvance } from '../../support/clocks.ts'
import { codeOf, type Keyed, sendKeyed } from '../../support/keyed.ts'
import { newCheckout, newCustomer, newPaymentSession } from '../../support/samples.ts'
import { createSandbox, DAY, type Sandbox, START } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('api/execute-once')

const ADA = { operation: api.customers.create, key: 'key 1', body: { email: 'ada@example.com', name: 'Ada' } }

async function customersIn(sandbox: Sandbox): Promise<number> {
  return (await sandbox.call(api.customers.list, { limit: 100 })).data.length
}

test('the same request with the same key is carried out once and answered alike, byte for byte', async () => {
  const sandbox = createSandbox()
  const first = await sendKeyed(sandbox.runtime, ADA)
  await sandbox.advance(60)
  const second = await sendKeyed(sandbox.runtime, ADA)
  const [event, ...more] = await sandbox.events()
  assert.equal([first.status, first.replayOf], [200, null])
  assert.equal(second, { ...first, replayOf: event?.request?.id })
  assert.equal([more.length, await customersIn(sandbox)], [0, 1])
})

test('the event masks a card number among other text of the key', async () => {
  const sandbox = createSandbox()
  await sendKeyed(sandbox.runtime, { ...ADA, key: 'order-4242 4242 4242 4242' })
  assert.is((await sandbox.events())[0]?.request?.idempotency_key, 'order-[card number ending in 4242]')
})

test('the order of fields, white space and the quoted form of the key make no other request', async () => {
  const sandbox = createSandbox()
  const first = await sendKeyed(sandbox.runtime, ADA)
  const body = { name: 'Ada', email: 'ada@example.com' }
  assert.is((await sendKeyed(sandbox.runtime, { ...ADA, key: '"key 1"', body })).body, first.body)
  const [event] = await sandbox.events()
  assert.is(event?.request?.idempotency_key, 'key 1')
})

test('no body is the same as an empty one', async () => {
  const sandbox = createSandbox()
  const { id } = await newCheckout(sandbox)
  const expire = { operation: api.checkoutSessions.expire, key: 'k', id }
  const first = await sendKeyed(sandbox.runtime, expire)
  assert.is((await sendKeyed(sandbox.runtime, { ...expire, body: {} })).body, first.body)
})

const OTHERS: Readonly<Record<string, Partial<Keyed>>> = {
  'another value': { body: { email: 'ada@example.com', name: 'Eve' } },
  'one field more': { body: { email: 'ada@example.com', name: 'Ada', phone: '1' } },
  'one field less': { body: { email: 'ada@example.com' } },
  'another type': { body: { email: 'ada@example.com', name: ['Ada'] } },
  'a body that is not valid at all': { body: { email: 7 } },
  'another path': { operation: api.webhookEndpoints.create },
}

for (const [what, other] of Object.entries(OTHERS)) {
  test(`a key with ${what} is 422 and never carried out`, async () => {
    const sandbox = createSandbox()
    await sendKeyed(sandbox.runtime, ADA)
    const before = await sandbox.snapshot()
    const refused = await sendKeyed(sandbox.runtime, { ...ADA, ...other })
    assert.equal([refused.status, codeOf(refused)], [422, 'idempotency_key_reused'])
    assert.equal(await sandbox.snapshot(), before)
  })
}

test('another id in the path is another request', async () => {
  const sandbox = createSandbox()
  const [one, two] = [await newCustomer(sandbox), await newCustomer(sandbox)]
  const rename = (id: string): Keyed => ({
    operation: api.customers.update,
    key: 'k',
    id,
    body: { name: 'A' },
  })
  await sendKeyed(sandbox.runtime, rename(one.id))
  assert.is((await sendKeyed(sandbox.runtime, rename(two.id))).status, 422)
})

test('a body that is not JSON of a sane shape is told before the key is looked at', async () => {
  const sandbox = createSandbox()
  await sendKeyed(sandbox.runtime, ADA)
  assert.is(codeOf(await sendKeyed(sandbox.runtime, { ...ADA, body: [] })), 'invalid_json')
  assert.is(codeOf(await sendKeyed(sandbox.runtime, { ...ADA, key: '', body: [] })), 'invalid_json')
  assert.is(
    codeOf(await sendKeyed(sandbox.runtime, { ...ADA, key: '', body: {} })),
    'idempotency_key_invalid',
  )
})

test('requests at the same time with one key have one effect and one answer', async () => {
  const sandbox = createSandbox()
  const answers = await Promise.all(Array.from({ length: 20 }, () => sendKeyed(sandbox.runtime, ADA)))
  assert.is(new Set(answers.map(({ body }) => body)).size, 1)
  assert.is(answers.filter(({ replayOf }) => replayOf === null).length, 1)
  assert.is(await customersIn(sandbox), 1)
})

test('after 24 hours the key is new, whether it was swept or not', async () => {
  for (const isSwept of [false, true]) {
    const sandbox = createSandbox()
    await sendKeyed(sandbox.runtime, ADA)
    await sandbox.advance(DAY - 1)
    assert.is.not((await sendKeyed(sandbox.runtime, ADA)).replayOf, null)
    await sandbox.advance(1)
    if (isSwept) await dropExpired(sandbox.runtime, DEFAULT_RETENTION)
    const other = { ...ADA, body: { email: 'eve@example.com' } }
    assert.is((await sendKeyed(sandbox.runtime, other)).replayOf, null)
    await sandbox.advance(DAY - 1)
    assert.is.not((await sendKeyed(sandbox.runtime, other)).replayOf, null)
    assert.is(await customersIn(sandbox), 2)
  }
})

/** What is answered, whether the key keeps it, and how it comes about. */
const KEPT: readonly (readonly [
  code: string,
  status: number,
  isKept: boolean,
  of: (sandbox: Sandbox) => Promise<Omit<Keyed, 'key'>>,
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
      const asked = await advance(sandbox, START + 2 * DAY)
      await stopAmidAdvance(sandbox, asked.id, START + DAY)
      return asked
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
    async () => ({
      operation: api.refunds.create,
      body: { payment: 'py_none' },
    }),
  ],
  [
    'payment_not_refundable',
    400,
    true,
    async (sandbox) => {
      const declined = await complete(sandbox, 'declined')
      await sendKeyed(sandbox.runtime, { ...declined, key: 'another' })
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
  const { id } = await newClock(sandbox)
  return { operation: api.testClocks.advance, id, body: { frozen_time } }
}

for (const [code, status, isKept, prepare] of KEPT) {
  test(`${status} ${code} is ${isKept ? 'kept' : 'not kept'}`, async () => {
    const sandbox = createSandbox()
    const keyed = { ...(await prepare(sandbox)), key: 'k' }
    const [first, again] = [await sendKeyed(sandbox.runtime, keyed), await sendKeyed(sandbox.runtime, keyed)]
    assert.equal([first.status, codeOf(first), first.replayOf], [status, code, null])
    assert.equal([again.status, codeOf(again)], [status, code])
    const kept = [again.replayOf !== null, again.body === first.body]
    assert.equal(kept, [isKept, isKept])
  })
}

test('a refusal that is not kept leaves the key to the request put right', async () => {
  const sandbox = createSandbox()
  const wrong = await sendKeyed(sandbox.runtime, { ...ADA, body: { email: 'ada' } })
  const right = await sendKeyed(sandbox.runtime, ADA)
  assert.equal([wrong.status, right.status], [400, 200])
})

test('a declined charge is made once, and told with its payment each time', async () => {
  const sandbox = createSandbox()
  const keyed = { ...(await complete(sandbox, 'declined')), key: 'k' }
  for (let times = 0; times < 3; times += 1) await sendKeyed(sandbox.runtime, keyed)
  assert.is((await sandbox.call(api.payments.list, {})).data.length, 1)
})

test('a bug keeps nothing: the key is free for another try', async () => {
  const sandbox = createSandbox()
  const runtime = {
    ...sandbox.runtime,
    newId: () => {
      throw new Error('no more ids')
    },
  }
  const error = await sendKeyed(runtime, ADA).catch((thrown: unknown) => thrown)
  assert.instance(error, Error)
  assert.equal([(await sendKeyed(sandbox.runtime, ADA)).replayOf, await customersIn(sandbox)], [null, 1])
})

test('a secret that is shown once is shown again to who has the key, and kept readable nowhere', async () => {
  const sandbox = createSandbox()
  const keyed = { operation: api.webhookEndpoints.create, key: 'k', body: { url: 'http://127.0.0.1:9/' } }
  const first = await sendKeyed(sandbox.runtime, keyed)
  assert.match(first.body, '"secret":"whsec_')
  assert.is((await sendKeyed(sandbox.runtime, keyed)).body, first.body)
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

test('while a clock advances its key is in use, and then it has the answer', async () => {
  const sandbox = createSandbox()
  const keyed = { ...(await advance(sandbox, START + DAY)), key: 'k' }
  const held = heldAdvances(sandbox)
  const advancing = sendKeyed(held.runtime, keyed)
  await held.begun
  const meanwhile = await sendKeyed(sandbox.runtime, keyed)
  held.release()
  const first = await advancing
  assert.equal([first.status, meanwhile.status, codeOf(meanwhile)], [200, 409, 'idempotency_key_in_use'])
  const again = await sendKeyed(sandbox.runtime, keyed)
  assert.equal([again.body, again.replayOf === null], [first.body, false])
  const told = (await sandbox.events()).filter(({ type }) => type === 'test_clock.ready')
  assert.equal(
    told.map(({ request }) => request),
    [{ id: again.replayOf, idempotency_key: 'k' }],
  )
})

test('nothing of an advance stays behind but its answer', async () => {
  const sandbox = createSandbox()
  const asked = await advance(sandbox, START + DAY)
  await sendKeyed(sandbox.runtime, { ...asked, key: 'k' })
  await sandbox.call(api.testClocks.advance, { id: asked.id, frozen_time: START + 2 * DAY })
  const { records } = await sandbox.snapshot()
  assert.equal([records.advances.length, records.idempotency_keys.length], [0, 1])
})

test('an advance that breaks leaves its key free', async () => {
  const sandbox = createSandbox()
  const clock = await newClock(sandbox)
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
  const error = await sendKeyed(runtime, keyed).catch((thrown: unknown) => thrown)
  assert.match(String(error), 'out of lines')
  const again = await sendKeyed(sandbox.runtime, keyed)
  assert.equal([codeOf(again), again.replayOf], ['test_clock_failed', null])
  const { records } = await sandbox.snapshot()
  assert.is(records.advances.length, 0)
})

test.run()
