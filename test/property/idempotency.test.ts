import fc from 'fast-check'
import { api } from '../../src/api/index.ts'
import { resumeClocks } from '../../src/engine/clocks.ts'
import { copyFolder, makeFolder } from '../store/file/lowdb-folder.ts'
import { newClock } from '../support/clocks.ts'
import { codeOf, type Keyed, sendKeyed } from '../support/keyed.ts'
import { runs } from '../support/property.ts'
import { newCheckout, newPaymentSession } from '../support/samples.ts'
import { createSandbox, type Sandbox } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'
import { isSound } from './lives.ts'
import { whole } from './retelling.ts'

const HOUR_MS = 3_600_000
const test = suite('property/idempotency', {}, HOUR_MS)

/** More ids than one process gives out, so that the next one gives none again. */
const IDS_PER_LIFE = 1_000_000
const MONTH = { interval: 'month', count: 1 }
const BUSY = ['idempotency_key_in_use', 'test_clock_advancing']

/** Requests that would each do something again if they were carried out twice; each has an object of its own. */
async function requestsOn(sandbox: Sandbox): Promise<Keyed[]> {
  const paid = await newPaymentSession(sandbox)
  const { payment } = await sandbox.call(api.paymentSessions.complete, { id: paid.id, test_card: 'visa' })
  const [declined, open] = [await newPaymentSession(sandbox), await newCheckout(sandbox)]
  const [clock, busy] = [(await newClock(sandbox)).id, await clockWithRenewals(sandbox)]
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
  const { id: test_clock } = await newClock(sandbox)
  const { id: customer } = await sandbox.call(api.customers.create, { email: 'ada@example.com', test_clock })
  for (const test_card of ['visa', 'renewal_no_funds', 'mastercard']) {
    const { id } = await newCheckout(sandbox, {}, { customer })
    await sandbox.call(api.checkoutSessions.complete, { id, test_card })
  }
  return test_clock
}

const REQUESTS = 8

/** Which requests begin, all at once, and after how many turns the process is killed; null lets them end. */
const groups = fc.array(
  fc.record({
    picks: fc.array(fc.nat({ max: REQUESTS - 1 }), { minLength: 1, maxLength: 12 }),
    killedAfter: fc.option(fc.nat({ max: 12 }), { freq: 2 }),
  }),
  { minLength: 1, maxLength: 6 },
)

/** What each key was answered, in the order in which it was. */
type Heard = Map<string, { readonly status: number; readonly body: string }[]>

function hear(heard: Heard, key: string, { status, body, replayOf }: Awaited<ReturnType<typeof sendKeyed>>) {
  const code = codeOf({ status, body, replayOf })
  if (status === 409 && code !== null && BUSY.includes(code)) return
  heard.set(key, [...(heard.get(key) ?? []), { status, body }])
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** How often each kind of event happened, the turns of clocks apart from what a restart repeats. */
async function told(sandbox: Sandbox): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { type } of await sandbox.events()) counts[type] = (counts[type] ?? 0) + 1
  return Object.fromEntries(Object.entries(counts).sort())
}

test('however often and whenever a keyed request comes, and whatever is killed, it has one effect and one answer', async () => {
  const steady = createSandbox()
  for (const request of await requestsOn(steady)) await sendKeyed(steady.runtime, request)
  const once = await told(steady)
  await fc.assert(
    fc.asyncProperty(groups, async (script) => {
      const places = [await makeFolder()]
      try {
        let place = places[0] ?? (await makeFolder())
        let sandbox = createSandbox({ store: await place.open() })
        const requests = await requestsOn(sandbox)
        const heard: Heard = new Map()
        for (const { picks, killedAfter } of script) {
          let isAlive = true
          const sent = picks.map(async (pick) => {
            const request = requests[pick] as Keyed
            const answer = await sendKeyed(sandbox.runtime, request)
            if (isAlive) hear(heard, request.key, answer)
          })
          if (killedAfter === null) {
            await Promise.all(sent)
            continue
          }
          await turns(killedAfter)
          // What is on the disk now is all that the next process gets; nobody hears the old one any more.
          place = await copyFolder(place)
          isAlive = false
          places.push(place)
          const store = await place.open()
          await Promise.all(sent)
          sandbox = createSandbox({ store, idsFrom: places.length * IDS_PER_LIFE })
          await resumeClocks(sandbox.runtime)
        }
        for (const request of requests) hear(heard, request.key, await sendKeyed(sandbox.runtime, request))
        for (const [key, answers] of heard) {
          assert.is(new Set(answers.map((answer) => JSON.stringify(answer))).size, 1, key)
        }
        assert.is(heard.size, REQUESTS)
        assert.equal(await told(sandbox), once)
        isSound(await whole(sandbox))
      } finally {
        for (const each of places) await each.dispose()
      }
    }),
    runs(25),
  )
})

test('a key of another request never does anything', async () => {
  const pairs = fc.tuple(fc.nat({ max: REQUESTS - 1 }), fc.nat({ max: REQUESTS - 1 }), fc.boolean())
  await fc.assert(
    fc.asyncProperty(pairs, async ([first, second, isAtOnce]) => {
      fc.pre(first !== second)
      const sandbox = createSandbox()
      const there = await requestsOn(sandbox)
      const key = 'the same key'
      const [one, other] = [
        { ...(there[first] as Keyed), key },
        { ...(there[second] as Keyed), key },
      ]
      const begun = sendKeyed(sandbox.runtime, one)
      if (!isAtOnce) await begun
      const refused = await sendKeyed(sandbox.runtime, other)
      await begun
      assert.equal([refused.status, codeOf(refused)], [422, 'idempotency_key_reused'])
      const alone = createSandbox()
      await requestsOn(alone)
      await sendKeyed(alone.runtime, one)
      assert.equal(await told(sandbox), await told(alone))
    }),
    runs(40),
  )
})

test.run()
