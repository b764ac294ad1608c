import type { DeliveryRequest } from '../../src/webhooks/delivery-request.ts'
import { parseRetrySchedule } from '../../src/webhooks/schedule.ts'
import { createSignatureHeaders } from '../../src/webhooks/sign.ts'
import { assert, suite } from '../support/suite.ts'
import { createResult, deliverDue, FAILED_RESULT, Outbox, openOutbox } from './outbox.ts'

const test = suite('webhooks/worker')

const SECRET = `whsec_${'A'.repeat(32)}`
const URL = 'http://a.test/hook'

test('records a success with its request and response', async () => {
  const { outbox, endpoint, event } = await openOutbox(URL, { secret: SECRET })
  const sent: DeliveryRequest[] = []
  const worker = outbox.worker(async (request) => {
    sent.push(request)
    return createResult({ http_status: 201, duration_ms: 12, response_body: 'thanks' })
  })
  await deliverDue(worker)
  const [delivery, ...others] = await outbox.deliveries()
  assert.equal(others, [])
  assert.equal(delivery, {
    id: delivery?.id,
    object: 'webhook_delivery',
    created: outbox.now,
    livemode: false,
    event: event?.id,
    webhook_endpoint: endpoint,
    url: URL,
    attempt: 1,
    status: 'succeeded',
    http_status: 201,
    error: null,
    error_message: null,
    duration_ms: 12,
    request_headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'paycli/1 (webhooks)',
      'accept-encoding': 'identity',
      ...createSignatureHeaders({
        id: event?.id ?? '',
        secrets: [SECRET],
        body: JSON.stringify(event),
        timestamp: outbox.now,
      }),
    },
    response_body: 'thanks',
    response_body_truncated: false,
    next_attempt_at: null,
    trigger: 'automatic',
    fault: null,
  })
  assert.equal(sent, [{ url: URL, headers: delivery?.request_headers, body: JSON.stringify(event) }])
  assert.equal(JSON.parse(sent[0]?.body ?? '').pending_webhooks, 1)
  assert.equal(outbox.attempts, [delivery])
  assert.equal(outbox.errors, [])
})

test('runs the default schedule with the same body and a new signature in each attempt', async () => {
  const { outbox, endpoint, event } = await openOutbox(URL, { secret: SECRET })
  const sent: DeliveryRequest[] = []
  const worker = outbox.worker(async (request) => {
    sent.push(request)
    return FAILED_RESULT
  })
  const times = await outbox.runOut(worker)
  const waits = times.slice(1).map((time, index) => time - (times[index] ?? Number.NaN))
  assert.equal(waits, [5, 300, 1800, 7200, 18_000, 36_000, 36_000])
  const body = JSON.stringify(event)
  for (const [index, timestamp] of times.entries()) {
    assert.is(sent[index]?.body, body)
    const expected = createSignatureHeaders({ id: event?.id ?? '', secrets: [SECRET], body, timestamp })
    for (const [name, value] of Object.entries(expected)) assert.is(sent[index]?.headers[name], value)
  }
  const rows = await outbox.deliveries()
  assert.equal(
    rows.map(({ attempt }) => attempt),
    [1, 2, 3, 4, 5, 6, 7, 8],
  )
  assert.is(new Set(rows.map(({ id }) => id)).size, 8)
  for (const [index, row] of rows.entries()) {
    assert.is(row.status, 'failed')
    assert.is(row.error, 'http_status')
    assert.is(row.http_status, 500)
    assert.is(row.next_attempt_at, times[index + 1] ?? null)
    assert.is(
      row.created,
      times[Math.max(0, index - 1)],
      'a retry is planned when the previous attempt fails',
    )
  }
  assert.is((await outbox.endpoint(endpoint))?.status, 'enabled')
  assert.equal(outbox.errors, [])
})

test('sends no further retries after a success', async () => {
  const { outbox } = await openOutbox(URL)
  let attempts = 0
  const worker = outbox.worker(async () => {
    attempts += 1
    return attempts === 3 ? createResult() : FAILED_RESULT
  })
  await outbox.runOut(worker)
  assert.equal(
    (await outbox.deliveries()).map(({ status }) => status),
    ['failed', 'failed', 'succeeded'],
  )
})

/** Returns the milliseconds from the end of the first attempt to the start of the second, with a tick every 10 ms. */
async function firstWaitMs(outbox: Outbox, retryAfter: string | null, schedule: string): Promise<number> {
  await outbox.addEndpoint(URL)
  await outbox.emit()
  const attemptedAt: number[] = []
  const worker = outbox.worker(
    async () => {
      // The duration of the attempt does not count as delay.
      outbox.now += 0.4
      attemptedAt.push(outbox.now)
      return createResult({ http_status: 500, error: 'http_status', retry_after: retryAfter })
    },
    { schedule: parseRetrySchedule(schedule) },
  )
  for (let look = 0; attemptedAt.length < 2 && look < 1000; look += 1) {
    await deliverDue(worker)
    outbox.now += 0.01
  }
  const [first = Number.NaN, second = Number.NaN] = attemptedAt
  return Math.round((second - 0.4 - first) * 1000)
}

for (const offsetMs of [0, 1, 330, 470, 999]) {
  test(`retries on time when the attempt ends ${offsetMs} ms into a second`, async () => {
    const waits: readonly (readonly [wantedMs: number, retryAfter: string | null, schedule: string])[] = [
      [1000, null, '1s'],
      [2000, '2', '1s'],
      [1000, '0', '1s'],
    ]
    for (const [wantedMs, retryAfter, schedule] of waits) {
      const outbox = new Outbox()
      outbox.now += offsetMs / 1000
      const waitMs = await firstWaitMs(outbox, retryAfter, schedule)
      assert.ok(waitMs >= wantedMs && waitMs <= wantedMs + 20, `${wantedMs} ms expected, ${waitMs} ms waited`)
      const [failed, retried] = await outbox.deliveries()
      assert.ok(Number.isInteger(failed?.next_attempt_at), 'the failed attempt has whole seconds')
      assert.is(retried?.status, 'failed')
    }
  })
}

test('Retry-After delays the next attempt', async () => {
  const { outbox } = await openOutbox(URL)
  const busy = createResult({ http_status: 503, error: 'http_status', retry_after: '90' })
  const worker = outbox.worker(async () => busy)
  const start = outbox.now
  await deliverDue(worker)
  const [failed, next] = await outbox.deliveries()
  assert.is(failed?.next_attempt_at, start + 90)
  assert.is(next?.next_attempt_at, start + 90)
  assert.is(next?.status, 'pending')
  assert.equal(next?.request_headers, {})
})

test('uses a configured retry schedule, including a schedule without retries', async () => {
  for (const [text, waits] of [
    ['1s,10s', [1, 10]],
    ['0', []],
  ] as const) {
    const { outbox } = await openOutbox(URL)
    const worker = outbox.worker(async () => FAILED_RESULT, { schedule: parseRetrySchedule(text) })
    const times = await outbox.runOut(worker)
    assert.equal(
      times.slice(1).map((time, index) => time - (times[index] ?? Number.NaN)),
      waits,
    )
  }
})

test.run()
