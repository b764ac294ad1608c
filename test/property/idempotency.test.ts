import fc from 'fast-check'
import { api } from '../../src/api/api.ts'
import { resumeInterruptedClocks } from '../../src/engine/clocks.ts'
import { copyFolder, createDatabaseFolder } from '../store/file/lowdb-folder.ts'
import { createClock } from '../support/clocks.ts'
import { errorCodeOf, type IdempotentRequest, sendIdempotent } from '../support/idempotent-requests.ts'
import { runCount } from '../support/property.ts'
import { newCheckout, newPaymentSession } from '../support/samples.ts'
import { createSandbox, type Sandbox } from '../support/sandbox.ts'
import { releaseStoresAfterEachCase } from '../support/store-per-case.ts'
import { assert, suite } from '../support/suite.ts'
import { readSnapshot } from './normalized-snapshot.ts'
import { assertInvariants } from './random-runs.ts'

const HOUR_MS = 3_600_000
const test = suite('property/idempotency', {}, HOUR_MS)

releaseStoresAfterEachCase()

/** More ids than one process generates, so that the next process generates other ids. */
const IDS_PER_PROCESS = 1_000_000
const MONTH = { interval: 'month', count: 1 }
const BUSY = ['idempotency_key_in_use', 'test_clock_advancing']

/** Creates requests that would have an effect each time they are executed, each on its own object. */
async function createRequests(sandbox: Sandbox): Promise<IdempotentRequest[]> {
  const paid = await newPaymentSession(sandbox)
  const { payment } = await sandbox.call(api.paymentSessions.complete, { id: paid.id, test_card: 'visa' })
  const [declined, open] = [await newPaymentSession(sandbox), await newCheckout(sandbox)]
  const [clock, busy] = [(await createClock(sandbox)).id, await clockWithRenewals(sandbox)]
  return [
    { operation: api.customers.create, key: 'create', body: { email: 'once@example.com' } },
    { operation: api.refunds.create, key: 'refund', body: { payment, amount: 100 } },
    {
      operation: api.paymentSessions.complete,
      key: 'decline',
      id: declined.id,
      body: { test_card: 'declined' },
    },
    { operation: api.checkoutSessions.complete, key: 'complete', id: open.id, body: { test_card: 'visa' } },
    { operation: api.paymentSessions.expire, key: 'too late', id: paid.id },
    { operation: api.webhookEndpoints.create, key: 'hook', body: { url: 'http://127.0.0.1:9/' } },
    { operation: api.testClocks.advance, key: 'advance', id: clock, body: { by: MONTH } },
    { operation: api.testClocks.advance, key: 'renew', id: busy, body: { by: MONTH } },
  ]
}

async function clockWithRenewals(sandbox: Sandbox): Promise<string> {
  const { id: test_clock } = await createClock(sandbox)
  const { id: customer } = await sandbox.call(api.customers.create, { email: 'ada@example.com', test_clock })
  for (const test_card of ['visa', 'renewal_no_funds', 'mastercard']) {
    const { id } = await newCheckout(sandbox, {}, { customer })
    await sandbox.call(api.checkoutSessions.complete, { id, test_card })
  }
  return test_clock
}

const REQUESTS = 8

/** Concurrent requests, and the number of event-loop turns before the process is killed; null lets them finish. */
const groups = fc.array(
  fc.record({
    picks: fc.array(fc.nat({ max: REQUESTS - 1 }), { minLength: 1, maxLength: 12 }),
    killedAfter: fc.option(fc.nat({ max: 12 }), { freq: 2 }),
  }),
  { minLength: 1, maxLength: 6 },
)

/** The responses of each key, in order. */
type ReceivedResponses = Map<string, { readonly status: number; readonly body: string }[]>

function recordResponse(
  received: ReceivedResponses,
  key: string,
  { status, body, replayOf }: Awaited<ReturnType<typeof sendIdempotent>>,
) {
  const code = errorCodeOf({ status, body, replayOf })
  if (status === 409 && code !== null && BUSY.includes(code)) return
  received.set(key, [...(received.get(key) ?? []), { status, body }])
}

async function waitTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** Counts the events by type. */
async function countEvents(sandbox: Sandbox): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { type } of await sandbox.events()) counts[type] = (counts[type] ?? 0) + 1
  return Object.fromEntries(Object.entries(counts).sort())
}

test('a repeated request with an idempotency key has one effect and one response, even when processes are killed', async () => {
  const steady = createSandbox()
  for (const request of await createRequests(steady)) await sendIdempotent(steady.runtime, request)
  const once = await countEvents(steady)
  await fc.assert(
    fc.asyncProperty(groups, async (script) => {
      const places = [await createDatabaseFolder()]
      try {
        let place = places[0] ?? (await createDatabaseFolder())
        let sandbox = createSandbox({ store: await place.open() })
        const requests = await createRequests(sandbox)
        const received: ReceivedResponses = new Map()
        for (const { picks, killedAfter } of script) {
          let isAlive = true
          const sent = picks.map(async (pick) => {
            const request = requests[pick] as IdempotentRequest
            const answer = await sendIdempotent(sandbox.runtime, request)
            if (isAlive) recordResponse(received, request.key, answer)
          })
          if (killedAfter === null) {
            await Promise.all(sent)
            continue
          }
          await waitTurns(killedAfter)
          // The next process gets the current files. Later responses of the old process are ignored.
          place = await copyFolder(place)
          isAlive = false
          places.push(place)
          const store = await place.open()
          await Promise.all(sent)
          sandbox = createSandbox({ store, idsFrom: places.length * IDS_PER_PROCESS })
          await resumeInterruptedClocks(sandbox.runtime)
        }
        for (const request of requests)
          recordResponse(received, request.key, await sendIdempotent(sandbox.runtime, request))
        for (const [key, answers] of received) {
          assert.is(new Set(answers.map((answer) => JSON.stringify(answer))).size, 1, key)
        }
        assert.is(received.size, REQUESTS)
        assert.equal(await countEvents(sandbox), once)
        assertInvariants(await readSnapshot(sandbox))
      } finally {
        for (const each of places) await each.dispose()
      }
    }),
    runCount(25),
  )
})

test.run()
