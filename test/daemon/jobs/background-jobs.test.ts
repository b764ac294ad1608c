import { api } from '../../../src/api/api.ts'
import { createFrozenClock } from '../../../src/daemon/reproducible.ts'
import { findSignatureProblems } from '../../../src/webhooks/verify.ts'
import { createTestClock, openDaemon } from '../../support/daemon.ts'
import { DAY } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'
import { newDatabase } from '../../support/test-store.ts'
import { openWebhookServer } from '../../webhooks/webhook-server.ts'

const test = suite('daemon/background-jobs')

/** Columns: retries option, range of the delay of the second attempt in seconds; null for no retry. */
const RETRIES: readonly (readonly [retries: string, waits: readonly [number, number] | null])[] = [
  ['100s', [80, 120]],
  ['default', [4, 6]],
  ['none', null],
]

for (const [retries, waits] of RETRIES) {
  test(`--retry-schedule ${retries} ${waits === null ? 'disables retries' : `schedules the first retry after ${waits.join(' to ')} seconds`}`, async () => {
    const daemon = await openDaemon({
      forwardTo: [{ url: 'http://127.0.0.1:9/', events: ['*'] }],
      retries,
    })
    await daemon.call(api.customers.create, { email: 'ada@example.com' })
    await daemon.tick()
    const { data } = await daemon.call(api.webhookDeliveries.list, { status: 'failed' })
    await daemon.stop()
    const next = data[0]?.next_attempt_at ?? null
    const [least, most] = waits ?? [0, 0]
    const wait = (next ?? 0) - daemon.clock.now()
    assert.is(waits === null ? next === null : wait >= least && wait <= most, true, `${next}`)
  })
}

test('with a frozen clock, deliveries use the time of the machine and events use the frozen time', async () => {
  const frozen = 1769846400
  const machine = createTestClock()
  const receiver = await openWebhookServer((_request, response) => response.writeHead(500).end())
  const clock = { ...machine, ...createFrozenClock(frozen, { nowMs: machine.nowMs }), now: () => frozen }
  const forwardTo = [{ url: receiver.url, events: ['customer.created'] }]
  const daemon = await openDaemon({ clock, forwardTo, retries: '10s,10s' })
  await daemon.call(api.customers.create, { email: 'ada@example.com' })
  for (const attempts of [1, 2, 3]) {
    await daemon.tick()
    assert.is(receiver.received.length, attempts)
    const { headers, body = '{}' } = receiver.received.at(-1) ?? {}
    assert.is(headers?.['webhook-timestamp'], String(machine.now()))
    assert.is(JSON.parse(body).created, frozen)
    const verifying = { secret: daemon.location.webhook_secret, now: machine.now(), tolerance: 0 }
    const delivery = { headers: headers as Record<string, string>, body }
    assert.equal(findSignatureProblems(delivery, verifying), [])
    await daemon.tick()
    assert.is(receiver.received.length, attempts, 'no retry is early')
    machine.move(12)
  }
  const [first] = (await daemon.call(api.webhookDeliveries.list, {})).data.slice(-1)
  assert.is(first?.created, frozen)
  await daemon.stop()
  await receiver.close()
})

test('stop() finishes or skips queued rounds of background jobs before it closes the store', async () => {
  const daemon = await openDaemon()
  const rounds = Array.from({ length: 5 }, () => daemon.tick())
  await daemon.stop()
  assert.is((await Promise.all(rounds)).length, 5)
})

test('keeps events and idempotency keys when the wall clock jumps forward, also after a restart', async () => {
  const db = await newDatabase()
  const daemon = await openDaemon({ db })
  const create = (one: typeof daemon) =>
    fetch(`${one.location.api_url}/v1/customers`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${one.location.api_key}`,
        'content-type': 'application/json',
        'idempotency-key': 'a key',
      },
      body: '{"email":"ada@example.com"}',
    })
  const first = await (await create(daemon)).text()
  await daemon.tick()
  daemon.clock.move(60 * DAY)
  await daemon.tick()
  assert.is((await daemon.call(api.events.list, {})).data.length, 1)
  const again = await create(daemon)
  assert.equal([again.headers.get('idempotent-replayed'), await again.text()], ['true', first])
  await daemon.stop()
  // An in-memory database does not survive a restart.
  if (db === null) return
  const next = await openDaemon({ db, home: daemon.home, clock: daemon.clock })
  await next.tick()
  assert.is((await next.call(api.events.list, {})).data.length, 1)
  const afterRestart = await create(next)
  assert.equal([afterRestart.headers.get('idempotent-replayed'), await afterRestart.text()], ['true', first])
  await next.stop()
})

test.run()
