import { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { api } from '../../../src/api/api.ts'
import type { FaultParams } from '../../../src/domain/faults/faults.ts'
import type { RequestLog } from '../../../src/domain/requests/request-logs.ts'
import { errorIn, fieldsOf, type HttpResponse, sendRawText } from '../../support/raw-http.ts'
import { assert, suite } from '../../support/suite.ts'
import { recordTimers, withHeldTimers } from '../../support/timers.ts'
import { KEY, type ServedSandbox, serveSandbox } from './serve-sandbox.ts'

const test = suite('daemon/http/request-faults')

/** A delay that differs from every other timer of a test. */
const DELAY_MS = 4321
const CUSTOMER = { email: 'ada@example.com' }
const BODY = JSON.stringify(CUSTOMER)

let served: ServedSandbox

test.before.each(async () => {
  served = await serveSandbox()
})

test.after.each(() => served?.close())

const addFault = (fields: FaultParams) => served.sandbox.call(api.faults.create, fields)

/** Creates a customer with an idempotency key. */
const create = (key: string, headers: Record<string, string> = {}): Promise<HttpResponse> =>
  served.post('/v1/customers', CUSTOMER, { 'Idempotency-Key': key, ...headers })

/** Returns the bytes of a request that creates a customer. */
function createBytes(fault: string, key: string, isLast = false): string {
  const lines = [
    'POST /v1/customers HTTP/1.1',
    `Host: ${new URL(served.apiUrl).host}`,
    `Authorization: Bearer ${KEY}`,
    'Content-Type: application/json',
    `Content-Length: ${BODY.length}`,
    `Idempotency-Key: ${key}`,
    ...(fault === '' ? [] : [`Paycli-Fault: ${fault}`]),
    ...(isLast ? ['Connection: close'] : []),
  ]
  return `${lines.join('\r\n')}\r\n\r\n${BODY}`
}

const send = (...requests: string[]) => sendRawText(served.apiUrl, requests.join(''))

async function countCustomers(): Promise<number> {
  return (await served.sandbox.call(api.customers.list, {})).data.length
}

async function newestLog(): Promise<RequestLog | undefined> {
  return fieldsOf<{ data: RequestLog[] }>(await served.call('/v1/request_logs')).data[0]
}

const NOTHING = { status: 0, headers: {}, text: '' }

test('drop_request closes the connection without a byte, does not execute the request and leaves its key unused', async () => {
  assert.equal(await send(createBytes('drop_request', 'k')), NOTHING)
  assert.is(await countCustomers(), 0)
  const log = await newestLog()
  assert.equal([log?.path, log?.status, log?.fault], ['/v1/customers', 444, 'drop_request'])
  assert.match(served.lines.join(''), /"status":444,.*"fault":"drop_request"/)
  const repeated = await create('k')
  assert.equal([repeated.status, repeated.headers['idempotent-replayed']], [200, undefined])
})

test('drop_response executes the request and closes the connection without a byte; a retry returns the response', async () => {
  assert.equal(await send(createBytes('drop_response', 'k')), NOTHING)
  assert.is(await countCustomers(), 1)
  const log = await newestLog()
  assert.equal([log?.status, log?.fault, log?.error], [200, 'drop_response', null])
  const repeated = await create('k')
  assert.equal([repeated.status, repeated.headers['idempotent-replayed']], [200, 'true'])
  assert.is(await countCustomers(), 1)
  assert.equal(await send(createBytes('drop_response', 'k')), NOTHING)
  assert.is((await newestLog())?.replay_of, log?.id)
})

test('truncate_response sends the Content-Length of the whole body, but only the first half of the body', async () => {
  const cut = await send(createBytes('truncate_response', 'k'))
  const whole = await create('k')
  assert.equal(
    [cut.status, cut.headers['content-length'], cut.headers['paycli-fault']],
    [200, String(Buffer.byteLength(whole.text)), 'truncate_response'],
  )
  assert.is(cut.text, whole.text.slice(0, Math.floor(whole.text.length / 2)))
})

test('slow_response sends a part of the body every tenth of a second', async () => {
  let slow: HttpResponse | undefined
  const timers = await recordTimers(async () => {
    slow = await create('k', { 'Paycli-Fault': 'slow_response; bytes_per_second=2000' })
  })
  const whole = await create('k')
  assert.equal([slow?.status, slow?.text], [200, whole.text])
  assert.is(slow?.headers['content-length'], String(Buffer.byteLength(whole.text)))
  const waits = timers.filter((ms) => ms === 100).length
  assert.is(waits, Math.ceil(Buffer.byteLength(whole.text) / 200) - 1)
})

for (const [fault, executed] of [
  ['delay_request', 0],
  ['delay_response', 1],
] as const) {
  test(`${fault} waits ${executed === 0 ? 'before' : 'after'} the request is executed`, async () => {
    await withHeldTimers([DELAY_MS], async ({ isSet, ring }) => {
      let isReceived = false
      const response = create('k', { 'Paycli-Fault': `${fault}; delay_ms=${DELAY_MS}` })
      response.then(() => {
        isReceived = true
      })
      await isSet(DELAY_MS)
      assert.is(await countCustomers(), executed)
      assert.is((await served.call('/v1/customers')).status, 200)
      assert.not(isReceived)
      ring(DELAY_MS)
      const { status, headers } = await response
      assert.equal([status, headers['paycli-fault']], [200, fault])
    })
    assert.is(await countCustomers(), 1)
  })
}

test('does not execute a delayed request whose client disconnects', async () => {
  await withHeldTimers([DELAY_MS], async ({ isSet }) => {
    const { hostname, port } = new URL(served.apiUrl)
    const socket = connect(Number(port), hostname)
    socket.write(createBytes(`delay_request; delay_ms=${DELAY_MS}`, 'k'))
    await isSet(DELAY_MS)
    socket.destroy()
    let log = await newestLog()
    while (log === undefined) log = await newestLog()
    assert.equal([log.status, log.fault], [499, 'delay_request'])
  })
  assert.is(await countCustomers(), 0)
})

for (const fault of ['delay_request', 'delay_response']) {
  test(`ends the wait of ${fault} when the server stops, and sends the response`, async () => {
    await withHeldTimers([DELAY_MS], async ({ isSet }) => {
      const response = create('k', { 'Paycli-Fault': `${fault}; delay_ms=${DELAY_MS}` })
      await isSet(DELAY_MS)
      const [{ status }] = await Promise.all([response, served.close()])
      assert.is(status, 200)
    })
  })
}

test('sends the remaining part of a slow response immediately when the server stops', async () => {
  let parts = 0
  const { write } = ServerResponse.prototype
  ServerResponse.prototype.write = function (this: ServerResponse, ...given: unknown[]) {
    parts += 1
    return Reflect.apply(write, this, given)
  }
  try {
    await withHeldTimers([1000], async ({ isSet }) => {
      const slow = create('k', { 'Paycli-Fault': 'slow_response; bytes_per_second=1' })
      await isSet(1000)
      const [{ status, text }] = await Promise.all([slow, served.close()])
      assert.equal([status, JSON.parse(text).email, parts], [200, 'ada@example.com', 1])
    })
  } finally {
    ServerResponse.prototype.write = write
  }
})

test('slow_response does not delay a response to HEAD', async () => {
  const timers = await recordTimers(async () => {
    const headers = { 'Paycli-Fault': 'slow_response; bytes_per_second=1' }
    const { status, text } = await served.call('/v1/customers', { method: 'HEAD', headers })
    assert.equal([status, text], [200, ''])
  })
  assert.not(timers.includes(1000))
})

const CODES = {
  429: 'rate_limit',
  500: 'internal_error',
  502: 'bad_gateway',
  503: 'unavailable',
} as const

test('error responds in the format of the API without executing the request', async () => {
  for (const [status, code] of Object.entries(CODES)) {
    const { id } = await addFault({
      ...{ type: 'error', http_status: Number(status) as 429, retry_after: 7, times: 1 },
      match: { operation: 'customers.create' },
    })
    const response = await create(`k ${status}`)
    const error = errorIn(response)
    assert.equal([response.status, error['code']], [Number(status), code])
    assert.match(String(error['message']), `The fault ${id} simulates this error.`)
    assert.equal([response.headers['retry-after'], response.headers['paycli-fault']], ['7', id])
    const log = await newestLog()
    assert.equal([log?.status, log?.fault, log?.error?.code], [Number(status), id, code])
    assert.is((await create(`k ${status}`)).headers['idempotent-replayed'], undefined)
  }
  const plain = await create('other', { 'Paycli-Fault': 'error' })
  assert.equal([plain.status, plain.headers['retry-after']], [500, undefined])
  assert.match(
    String(errorIn(plain)['message']),
    /^The Paycli-Fault header of the request simulates this error\./,
  )
})

test('faults on responses apply to error responses', async () => {
  const missing = `/v1/customers/cus_none`
  const whole = await served.call(missing)
  const drop = await served
    .call(missing, { headers: { 'Paycli-Fault': 'drop_response' } })
    .catch(({ code }) => code)
  assert.is(drop, 'ECONNRESET')
  assert.equal([(await newestLog())?.status, (await newestLog())?.error?.code], [404, 'resource_missing'])
  const slow = await served.call(missing, {
    headers: { 'Paycli-Fault': 'slow_response; bytes_per_second=100000' },
  })
  assert.equal([slow.status, errorIn(slow)['message']], [404, errorIn(whole)['message']])
})

test('faults do not change earlier pipelined responses, and only a drop or truncation discards later responses', async () => {
  for (const fault of ['drop_request', 'drop_response', 'truncate_response', 'error', 'slow_response']) {
    const keys = [`1 ${fault}`, `2 ${fault}`] as const
    const received = await withHeldTimers([DELAY_MS], async ({ isSet, ring }) => {
      const response = send(
        createBytes(`delay_response; delay_ms=${DELAY_MS}`, keys[0]),
        createBytes(fault === 'slow_response' ? `${fault}; bytes_per_second=100000` : fault, keys[1]),
        createBytes('', `3 ${fault}`, true),
      )
      await isSet(DELAY_MS)
      ring(DELAY_MS)
      return response
    })
    const [first, second] = [await create(keys[0]), await create(keys[1])]
    assert.ok(received.text.startsWith(first.text), `${fault}: ${received.text}`)
    const rest = received.text.slice(first.text.length)
    const statuses = [...rest.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
    const half = Math.floor(second.text.length / 2)
    if (fault.startsWith('drop')) assert.is(rest, '')
    else if (fault === 'truncate_response') assert.ok(rest.endsWith(`\r\n\r\n${second.text.slice(0, half)}`))
    else assert.equal(statuses, [fault === 'error' ? '500' : '200', '200'])
  }
})

test.run()
