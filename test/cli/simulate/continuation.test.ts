import { createRequestKeys } from '../../../src/cli/simulate/continuation.ts'
import { createClient } from '../../../src/client/client.ts'
import { openDaemon } from '../../support/daemon.ts'
import { assert, suite } from '../../support/suite.ts'
import { usageErrorFrom } from '../../support/usage-errors.ts'
import { readEvents, simulate, toComparableLog } from './simulated.ts'

const test = suite('cli/simulate/continuation', {}, 120_000)

const SIZE = { customers: 25, months: 3, faults: [{ type: 'decline' as const, probability: 10 }] }

/**
 * Simulates with an interruption after each of these numbers of requests that change objects, which also loses the last
 * response, and returns the comparable event log and the totals.
 */
async function simulateWithStops(stops: readonly number[], isClean: boolean) {
  const daemon = await openDaemon({ db: null })
  const { api_url: apiBase, api_key: apiKey } = daemon.location
  let isContinued = false
  for (const stop of stops) {
    const keys = createRequestKeys()
    const interruption = new AbortController()
    const client = createClient({ apiBase, apiKey, idempotencyKey: keys.next })
    let count = 0
    const call: typeof client.call = async (operation, params) => {
      const result = await client.call(operation, params)
      if (operation.method === 'POST') count += 1
      if (count >= stop) interruption.abort()
      if (count >= stop && !isClean) throw new Error('lost')
      return result
    }
    await simulate({ ...client, call }, { ...SIZE, isContinued, keys, signal: interruption.signal }).catch(
      (error: Error) => assert.is(error.message, 'lost'),
    )
    isContinued = true
  }
  const keys = createRequestKeys()
  const client = createClient({ apiBase, apiKey, idempotencyKey: keys.next })
  const { events, customers, readTotals } = await simulate(client, { ...SIZE, isContinued, keys })
  const log = toComparableLog(await readEvents(client))
  const { rows } = await readTotals()
  await daemon.stop()
  return { log, rows, events, customers: customers.length }
}

let whole: Awaited<ReturnType<typeof simulateWithStops>>

test.before(async () => {
  whole = await simulateWithStops([], true)
})

for (const [title, stops, isClean] of [
  ['between two actions', [7, 40, 1, 30], true],
  ['within a sign-up', [6, 1, 1, 1, 1], false],
  ['after lost responses in later months', [60, 45, 20, 33, 1, 2], false],
] as const) {
  test(`gives the same events and totals after stops ${title}`, async () => {
    const { log, rows, events, customers } = await simulateWithStops(stops, isClean)
    const at = log.findIndex((line, index) => line !== whole.log[index])
    assert.is(log[at], whole.log[at], `event ${at}`)
    assert.equal([log.length, events, customers], [whole.log.length, whole.events, whole.customers])
    assert.equal(rows, whole.rows)
  })
}

test('does not recreate the faults of a simulation that has ended', async () => {
  const daemon = await openDaemon({ db: null })
  const ended = await simulate(daemon.client, SIZE)
  const continued = await simulate(daemon.client, { ...SIZE, isContinued: true })
  await daemon.stop()
  assert.equal([ended.faults.length, continued.faults.length], [1, 0])
  assert.equal([continued.skipped, continued.customers.length], [0, ended.customers.length])
})

test('rejects options that differ from the options of the interrupted simulation', async () => {
  const daemon = await openDaemon({ db: null })
  await simulate(daemon.client, { customers: 1, months: 1 })
  const error = await simulate(daemon.client, { customers: 2, months: 1, isContinued: true }).catch(
    (cause: unknown) => cause,
  )
  await daemon.stop()
  assert.match(
    usageErrorFrom(() => {
      throw error
    }).message,
    'no simulation with these options',
  )
})

test.run()
