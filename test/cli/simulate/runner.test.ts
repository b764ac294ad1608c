import { join } from 'node:path'
import type { FaultParams } from '../../../src/domain/faults/faults.ts'
import { openDaemon } from '../../support/daemon.ts'
import { newFolder } from '../../support/folders.ts'
import { newDatabaseUrl } from '../../support/postgres.ts'
import { assert, suite } from '../../support/suite.ts'
import { readEvents, simulate, toComparableLog } from './simulated.ts'

const test = suite('cli/simulate/runner', {}, 120_000)

/** Simulates with a new server and returns its comparable event log. */
async function runLog(db: string | null, seed = '7', customers = 40, faults: readonly FaultParams[] = []) {
  const daemon = await openDaemon({ db })
  try {
    const { skipped, reached } = await simulate(daemon.client, { seed, customers, faults })
    return { log: toComparableLog(await readEvents(daemon.client)), skipped, reached }
  } finally {
    await daemon.stop()
  }
}

let first: Awaited<ReturnType<typeof runLog>>

test('the same seed gives the same events in the same order in memory, on lowdb and on PostgreSQL', async () => {
  first = await runLog(null)
  assert.is(first.reached, Date.UTC(2026, 4, 1) / 1000 - 1)
  assert.ok(first.log.length > 1000, String(first.log.length))
  for (const db of [join(newFolder(), 'paycli.json'), await newDatabaseUrl()]) {
    const { log, skipped } = await runLog(db)
    const at = log.findIndex((line, index) => line !== first.log[index])
    assert.is(log[at], first.log[at], `event ${at} on ${db ?? 'the memory store'}`)
    assert.equal([log.length, skipped], [first.log.length, first.skipped])
  }
})

test('another seed gives other events', async () => {
  const logs = [await runLog(null, '7', 5), await runLog(null, '8', 5)].map(({ log }) => log.join('\n'))
  assert.is.not(logs[0], logs[1])
})

test('the same seed declines the same payments by a fault, on every store', async () => {
  const faults = [{ type: 'decline' as const, probability: 20 }]
  const runs = [null, join(newFolder(), 'paycli.json')].map((db) => runLog(db, '7', 8, faults))
  const [memory, file] = await Promise.all(runs)
  assert.equal(memory?.log, file?.log)
  const without = await runLog(null, '7', 8)
  assert.is.not(memory?.log.join('\n'), without.log.join('\n'))
})

test('a simulation contains every kind of event of its rates', async () => {
  const types = new Set(first.log.map((line) => /"(\w+\.\w+)"/.exec(line)?.[1]))
  const expected = [
    ...[
      'subscription.past_due',
      'subscription.recovered',
      'subscription.canceled',
      'subscription.trial_will_end',
    ],
    ...['invoice.payment_failed', 'invoice.voided', 'refund.created', 'dispute.created', 'dispute.closed'],
    ...['dispute.funds_reinstated', 'card_session.completed', 'coupon.updated', 'invoice_item.created'],
  ]
  assert.equal(
    expected.filter((type) => !types.has(type)),
    [],
  )
})

test('stops between two actions when the signal aborts', async () => {
  const daemon = await openDaemon({ db: null })
  const interruption = new AbortController()
  const { reached, customers } = await simulate(daemon.client, {
    signal: interruption.signal,
    onTime: (now) => {
      if (now >= Date.UTC(2026, 0, 10) / 1000) interruption.abort()
    },
  })
  await daemon.stop()
  assert.is(new Date(reached * 1000).toISOString().slice(0, 10), '2026-01-10')
  assert.ok(customers.length > 0 && customers.length < 40, String(customers.length))
})

test.run()
