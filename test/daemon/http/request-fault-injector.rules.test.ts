import { api } from '../../../src/api/api.ts'
import { createClient } from '../../../src/client/client.ts'
import { createRateLimiter } from '../../../src/daemon/http/rate-limit.ts'
import type { Fault, FaultParams } from '../../../src/domain/faults/faults.ts'
import type { RequestLog } from '../../../src/domain/requests/request-logs.ts'
import { errorIn, fieldsOf, type HttpResponse } from '../../support/raw-http.ts'
import { newPaymentSession } from '../../support/samples.ts'
import { createSandbox } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'
import { KEY, type ServedSandbox, withServedSandbox } from './serve-sandbox.ts'

const test = suite('daemon/http/request-faults rules')

const addFault = ({ sandbox }: ServedSandbox, fields: FaultParams) => sandbox.call(api.faults.create, fields)

const get = ({ call }: ServedSandbox, path: string, headers: Record<string, string> = {}) =>
  call(path, { headers })

/** Returns the status of a response, or null if the connection was closed without one. */
const statusOf = (responding: Promise<HttpResponse>): Promise<number | null> =>
  responding.then(
    ({ status }) => status,
    () => null,
  )

async function countsOf(
  { sandbox }: ServedSandbox,
  { id }: Fault,
): Promise<[matched: number, applied: number]> {
  const { matched, applied } = await sandbox.call(api.faults.retrieve, { id })
  return [matched, applied]
}

test('a fault rule matches the operation and the customer of a request', () =>
  withServedSandbox(async (served) => {
    const { id: customer } = await served.sandbox.call(api.customers.create, { email: 'ada@example.com' })
    const other = await served.sandbox.call(api.customers.create, { email: 'eve@example.com' })
    const isFaulted = async (match: FaultParams['match'] & object, send: () => Promise<HttpResponse>) => {
      const { id } = await addFault(served, { type: 'error', http_status: 502, match })
      const { status } = await send()
      await served.sandbox.call(api.faults.delete, { id })
      return status === 502
    }
    const session = () => served.post('/v1/payment_sessions', { customer })
    assert.ok(await isFaulted({ operation: 'payment_sessions.create' }, session))
    assert.ok(await isFaulted({ operation: 'payment_sessions.*', customer }, session))
    assert.not(await isFaulted({ operation: 'payments.*' }, session))
    assert.not(await isFaulted({ customer: other.id }, session))
    assert.ok(await isFaulted({ customer }, () => get(served, `/v1/customers/${customer}`)))
    assert.ok(await isFaulted({ customer }, () => get(served, `/v1/payments?customer=${customer}`)))
    assert.not(await isFaulted({ customer }, () => get(served, '/v1/payments')))
    assert.not(await isFaulted({ customer: other.id }, () => get(served, `/v1/customers/${customer}`)))
  }))

test('a fault rule overrides the fault header, which applies to all other requests', () =>
  withServedSandbox(async (served) => {
    const { id } = await addFault(served, { type: 'error', http_status: 429, times: 1 })
    const own = { 'Paycli-Fault': 'error; http_status=503' }
    const [first, second] = [await get(served, '/v1/events', own), await get(served, '/v1/events', own)]
    assert.equal([first.status, first.headers['paycli-fault']], [429, id])
    assert.equal([second.status, second.headers['paycli-fault']], [503, 'error'])
  }))

test('rejects an invalid header without executing or counting the request', () =>
  withServedSandbox(async (served) => {
    const fault = await addFault(served, { type: 'drop_request' })
    const response = await get(served, '/v1/customers', { 'Paycli-Fault': 'duplicate' })
    assert.equal([response.status, errorIn(response)['code']], [400, 'fault_header_invalid'])
    assert.equal(await countsOf(served, fault), [0, 0])
  }))

test('never applies a fault to requests for faults, sandboxes and logs, with an invalid key or above the rate limit', () =>
  withServedSandbox(
    async (served) => {
      const fault = await addFault(served, { type: 'drop_request' })
      const own = { 'Paycli-Fault': 'drop_request' }
      for (const path of [
        '/v1/test_helpers/faults',
        `/v1/test_helpers/faults/${fault.id}`,
        '/v1/request_logs',
      ])
        assert.is((await get(served, path, own)).status, 200)
      assert.is((await get(served, '/v1/sandboxes/none', own)).status, 404)
      assert.is((await get(served, '/healthz', own)).status, 200)
      assert.is((await get(served, '/v1/customers', { ...own, Authorization: 'Bearer x' })).status, 401)
      assert.equal(await countsOf(served, fault), [0, 0])
      assert.is(await statusOf(get(served, '/v1/customers')), null)
      assert.is((await get(served, '/v1/customers')).status, 429)
      assert.equal(await countsOf(served, fault), [1, 1])
    },
    // A limiter of 2.5 requests per second allows a burst of five.
    { limit: createRateLimiter(2.5, () => 0) },
  ))

test('the header requires faults:write, and a restricted key when other machines can reach the server', async () => {
  const plain = createSandbox()
  const exposed = createSandbox()
  for (const [sandbox, expected] of [
    [plain, { secret: 503, able: 503, unable: 403 }],
    [
      { ...exposed, runtime: { ...exposed.runtime, isExposed: true } },
      { secret: 403, able: 503, unable: 403 },
    ],
  ] as const) {
    await withServedSandbox(
      async (served) => {
        const keyWith = async (...scopes: string[]) =>
          (await served.sandbox.call(api.apiKeys.create, { scopes })).secret
        const keys = {
          secret: KEY,
          able: await keyWith('customers:read', 'faults:write'),
          unable: await keyWith('customers:read', 'faults:read'),
        }
        for (const [name, key] of Object.entries(keys)) {
          const headers = { Authorization: `Bearer ${key}`, 'Paycli-Fault': 'error; http_status=503' }
          const response = await get(served, '/v1/customers', headers)
          assert.is(response.status, expected[name as keyof typeof expected], name)
          if (response.status !== 403) continue
          assert.is(errorIn(response)['code'], 'insufficient_scope')
          assert.match(String(errorIn(response)['message']), /faults:write/)
        }
        assert.is((await get(served, '/v1/customers')).status, 200)
      },
      { sandbox },
    )
  }
})

test('a rule that does not match changes no byte of a response', async () => {
  const responses: unknown[] = []
  for (const fields of [null, { type: 'drop_response', match: { operation: 'refunds.*' } }] as const) {
    await withServedSandbox(async (served) => {
      if (fields !== null) await addFault(served, fields)
      const created = await served.post('/v1/customers', { email: 'ada@example.com' })
      const { id } = fieldsOf<{ id: string }>(created)
      const all = [
        created,
        await get(served, `/v1/customers/${id}`),
        await get(served, '/v1/customers/cus_none'),
      ]
      responses.push(
        all.map(({ status, headers: { date: _, ...headers }, text }) =>
          JSON.stringify({ status, headers, text }).replace(/_Test\d+|127\.0\.0\.1:\d+/g, '…'),
        ),
      )
      const { data } = fieldsOf<{ data: RequestLog[] }>(await get(served, '/v1/request_logs'))
      assert.equal([...new Set(data.map(({ fault }) => fault))], [null])
    })
  }
  assert.equal(responses[1], responses[0])
})

/** Runs a payment through a client, and returns the stored objects and events with ids numbered by appearance. */
async function runHistory(fields: FaultParams | null): Promise<string> {
  let history = ''
  await withServedSandbox(async (served) => {
    const fault = fields && (await addFault(served, fields))
    const client = createClient({ apiBase: served.apiUrl, apiKey: KEY })
    const { id } = await newPaymentSession(client)
    const card = { number: '4242424242424242', exp_month: 12, exp_year: 2099, cvc: '123' }
    await client.call(api.paymentSessions.complete, { id, card })
    if (fault !== null) assert.equal(await countsOf(served, fault), [4, 1])
    const { sandbox } = served
    const records = [
      await sandbox.events(),
      await sandbox.call(api.customers.list, {}),
      await sandbox.call(api.paymentSessions.list, {}),
      await sandbox.call(api.payments.list, {}),
      await sandbox.store.newestSequence(),
    ]
    const names = new Map<string, string>()
    history = JSON.stringify(records, (name, value) => (name === 'request' ? null : value)).replace(
      /\b[a-z_]+_Test\d+\b/g,
      (one) => names.get(one) ?? (names.set(one, `id ${names.size}`).get(one) as string),
    )
  })
  return history
}

test('a request fault changes no object, event or sequence number', async () => {
  const usual = await runHistory(null)
  assert.match(usual, /payment\.succeeded|payment_session\.completed/)
  for (const type of ['drop_request', 'drop_response', 'truncate_response'] as const)
    assert.is(await runHistory({ type, skip: 1, times: 1 }), usual, type)
})

test.run()
