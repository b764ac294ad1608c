import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import type { Counter } from '../../../src/domain/core/counters.ts'
import type { Event } from '../../../src/domain/events/events.ts'
import { loadDatabase } from '../../../src/store/file/recovery.ts'
import { RECORD_FORMAT_VERSION } from '../../../src/store/port/format.ts'
import { assert, suite } from '../../support/suite.ts'
import { isFullRun } from '../../support/test-level.ts'
import { waitForNextTurn } from '../fixture.ts'
import { endChildren, startChild } from './lowdb-child.ts'
import { createDatabaseFolder, type DatabaseFolder } from './lowdb-folder.ts'

const ROUNDS = isFullRun() ? 200 : 20

const test = suite<{ place: DatabaseFolder }>('store/lowdb killed', undefined, ROUNDS * 4_500)

test.before.each(async (context) => {
  context.place = await createDatabaseFolder()
})

test.after.each(async ({ place }) => {
  await endChildren()
  await place.dispose()
})

interface CrashOptions {
  /** Number of acknowledged transactions before the crash. */
  readonly after: number
  readonly isDuringCheckpoint: boolean
}

/** Writes with eight writers and kills the process; returns the acknowledged ids. */
async function crash(
  { file, folder }: DatabaseFolder,
  { after, isDuringCheckpoint }: CrashOptions,
  name: string,
) {
  const child = startChild({ file, ...(isDuringCheckpoint ? { minJournalBytes: 0 } : {}) })
  assert.is((await child.report()).error, null)
  const isCheckpointRunning = () => readdirSync(folder).some((each) => each.endsWith('.tmp'))
  const reached = new Promise<void>((resolve) => {
    child.onAcknowledged = (count) => count >= after && resolve()
  })
  child.send({ do: 'fill', name })
  await Promise.race([reached, child.ended])
  // Writing continues, so checkpoints follow each other.
  while (isDuringCheckpoint && !isCheckpointRunning()) await waitForNextTurn()
  child.process.kill('SIGKILL')
  assert.is(await child.ended, 'SIGKILL')
  return child.acknowledged
}

/** Checks that no acknowledged record is lost, transactions are atomic, and sequence numbers have no gaps. */
async function check({ file }: DatabaseFolder, acknowledged: readonly string[]): Promise<void> {
  const { records } = await loadDatabase(file)
  const customers = [...records.all('customers')]
  const events = [...records.all('events')] as Event[]
  const ids = new Set(customers.map(({ id }) => id))
  assert.equal(
    acknowledged.filter((id) => !ids.has(id)),
    [],
    'acknowledged but lost',
  )
  assert.equal(
    events.map(({ sequence }) => sequence),
    customers.map((_, index) => index + 1),
  )
  assert.equal(
    events.map(({ data }) => data.object),
    customers,
  )
  const { value } = records.get('counters', 'invoice_number') as Counter
  assert.is(value, customers.length)
  if (existsSync(file)) assert.is(JSON.parse(readFileSync(file, 'utf8')).meta.format, RECORD_FORMAT_VERSION)
}

test(`loses no acknowledged transaction in ${ROUNDS / 2} crashes of one database under load`, async ({
  place,
}) => {
  const all: string[] = []
  for (let round = 0; round < ROUNDS / 2; round += 1) {
    const after = 1 + ((round * 37) % 90)
    const acknowledged = await crash(place, { after, isDuringCheckpoint: false }, `round_${round}`)
    assert.ok(acknowledged.length >= after)
    all.push(...acknowledged)
    await check(place, all)
  }
  await (await place.open()).close()
  assert.equal(
    (await readdir(place.folder)).filter((name) => !name.includes('.torn-')),
    ['paycli.json', 'paycli.json.lock'],
  )
  await check(place, all)
})

test(`loses no acknowledged transaction in ${ROUNDS / 2} crashes during a checkpoint`, async () => {
  for (let round = 0; round < ROUNDS / 2; round += 1) {
    const place = await createDatabaseFolder()
    try {
      const after = 10 + ((round * 23) % 60)
      const first = await crash(place, { after, isDuringCheckpoint: true }, 'first')
      await check(place, first)
      // The test continues after the crash until a second crash.
      const second = await crash(place, { after: 5, isDuringCheckpoint: round % 2 === 0 }, 'second')
      await check(place, [...first, ...second])
    } finally {
      await place.dispose()
    }
  }
})

test.run()
