import type { DeliveryRequest } from '../../src/webhooks/request.ts'
import { parseSchedule } from '../../src/webhooks/schedule.ts'
import { signatureHeaders } from '../../src/webhooks/sign.ts'
import { assert, suite } from '../support/suite.ts'
import { answer, broken, Outbox } from './outbox.ts'

const test = suite('webhooks/worker')

const SECRET = `whsec_${'A'.repeat(32)}`
const URL = 'http://a.test/hook'

test('a success is recorded with all that was sent and answered', async () => {
  const outbox = new Outbox()
  const endpoint = await outbox.addEndpoint(URL, SECRET)
  const [event] = await outbox.emit()
  const sent: DeliveryRequest[] = []
  const worker = outbox.worker(async (request) => {
    sent.push(request)
    return answer({ http_status: 201, duration_ms: 12, response_body: 'thanks' })
  })
  await worker.tick()
  await worker.idle()
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
      ...signatureHeaders({
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
  })
  assert.equal(sent, [{ url: URL, headers: delivery?.request_headers, body: JSON.stringify(event) }])
  assert.equal(JSON.parse(sent[0]?.body ?? '').pending_webhooks, 1)
  assert.equal(outbox.attempts, [delivery])
  assert.equal(outbox.errors, [])
})

test('the whole default schedule runs on a moved clock, with the same bytes and a fresh signature each time', async () => {
  const outbox = new Outbox()
  await outbox.addEndpoint(URL, SECRET)
  const [event] = await outbox.emit()
  const sent: DeliveryRequest[] = []
  const worker = outbox.worker(async (request) => {
    sent.push(request)
    return broken
  })
  const times = await outbox.runOut(worker)
  const waits = times.slice(1).map((time, index) => time - (times[index] ?? Number.NaN))
  assert.equal(waits, [5, 300, 1800, 7200, 18_000, 36_000, 36_000])
  const body = JSON.stringify(event)
  for (const [index, timestamp] of times.entries()) {
    assert.is(sent[index]?.body, body)
    const expected = signatureHeaders({ id: event?.id ?? '', secrets: [SECRET], body, timestamp })
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
      'a retry is planned when the attempt before it failed',
    )
  }
  assert.equal(outbox.errors, [])
})

test('a success ends the retries', async () => {
  const outbox = new Outbox()
  await outbox.addEndpoint(URL)
  await outbox.emit()
  let attempts = 0
  const worker = outbox.worker(async () => {
    attempts += 1
    return attempts === 3 ? answer() : broken
  })
  await outbox.runOut(worker)
  assert.equal(
    (await outbox.deliveries()).map(({ status }) => status),
    ['failed', 'failed', 'succeeded'],
  )
})

test('Retry-After moves the next attempt', async () => {
  const outbox = new Outbox()
  await outbox.addEndpoint(URL)
  await outbox.emit()
  const busy = answer({ http_status: 503, error: 'http_status', retry_after: '90' })
  const worker = outbox.worker(async () => busy)
  const start = outbox.now
  await worker.tick()
  await worker.idle()
  const [failed, next] = await outbox.deliveries()
  assert.is(failed?.next_attempt_at, start + 90)
  assert.is(next?.next_attempt_at, start + 90)
  assert.is(next?.status, 'pending')
  assert.equal(next?.request_headers, {})
})

test('a configured schedule is used, and one without retries ends after the first attempt', async () => {
  for (const [text, waits] of [
    ['1s,10s', [1, 10]],
    ['0', []],
  ] as const) {
    const outbox = new Outbox()
    await outbox.addEndpoint(URL)
    await outbox.emit()
    const worker = outbox.worker(async () => broken, { schedule: parseSchedule(text) })
    const times = await outbox.runOut(worker)
    assert.equal(
      times.slice(1).map((time, index) => time - (times[index] ?? Number.NaN)),
      waits,
    )
  }
})

test.run()
