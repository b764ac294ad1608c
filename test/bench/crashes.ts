import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Store } from '../../src/store/port/store.ts'
import { NEW_PER_TRANSACTION, partId, slotId, WRITERS } from './crash-writer.ts'
import { openDatabase, storePairs } from './database.ts'
import type { DatabaseFolder } from './databases.ts'
import { type Figure, failuresRow } from './figure.ts'
import { recordWithEvent } from './records.ts'
import { startRole } from './role-process.ts'

const ROUNDS = 200
const QUICK_ROUNDS = 20
// A journal is compacted when it outgrows the snapshot, so every second kill doubles the database.
const ROUNDS_PER_DATABASE = 4
/** The database is checked after every second kill, so that two recoveries in a row are tested too. */
const KILLS_PER_CHECK = 2
const FIRST_RECORDS = 4000
const LEAST_MS = 30
const MOST_MS = 250
const COMPACTION_LIMIT_MS = 10_000
const POLL_MS = 1
const SMALL_JOURNAL_BYTES = 256 * 1024
const PAGE = 100

interface CrashTally {
  acknowledged: number
  lost: number
  torn: number
  kills: number
  compacting: number
}

/** Kills a writing process repeatedly and counts the acknowledged transactions that are missing afterwards. */
export const crashes: Figure = async (bench) => {
  const rounds = bench.isQuick ? QUICK_ROUNDS : ROUNDS
  const tally: CrashTally = { acknowledged: 0, lost: 0, torn: 0, kills: 0, compacting: 0 }
  while (tally.kills < rounds) {
    const place = await bench.ground.empty()
    await killRepeatedly(place, tally, Math.min(rounds, tally.kills + ROUNDS_PER_DATABASE))
    await bench.ground.release(place)
    const { acknowledged, kills, compacting, lost, torn } = tally
    bench.note(
      `${kills} kills, ${compacting} while compacting: ${acknowledged} acknowledged, ${lost} lost, ${torn} torn`,
    )
  }
  const what = `${tally.kills} × kill -9 under load, ${tally.compacting} of them while compacting`
  return [
    failuresRow(`${what}: acknowledged writes lost`, tally.lost, tally.acknowledged),
    failuresRow(`${what}: transactions torn`, tally.torn, tally.acknowledged),
  ]
}

async function killRepeatedly(place: DatabaseFolder, tally: CrashTally, until: number): Promise<void> {
  await prepare(place)
  const acknowledged = join(place.folder, 'acknowledged')
  for (let from = FIRST_RECORDS; tally.kills < until; ) {
    for (let kill = 0; kill < KILLS_PER_CHECK; kill += 1) {
      const isCompacting = tally.kills % 2 === 1
      const minJournalBytes = isCompacting ? SMALL_JOURNAL_BYTES : Number.MAX_SAFE_INTEGER
      const child = await startRole('crashing', { file: place.file, acknowledged, minJournalBytes, from })
      if (isCompacting) tally.compacting += await waitForCompaction(place)
      else await sleep(LEAST_MS + Math.random() * (MOST_MS - LEAST_MS))
      await child.kill()
      tally.kills += 1
      // The step is far larger than the number of transactions that a process can write before it is killed.
      from += 1_000_000
    }
    await check(place, acknowledged, tally)
  }
  tally.acknowledged += (await linesOf(acknowledged)).length
}

async function prepare(place: DatabaseFolder): Promise<void> {
  const store = await openDatabase(place.file)
  const size = FIRST_RECORDS
  await storePairs(
    store,
    Array.from({ length: size }, (_, at) => recordWithEvent(at, { blend: 'customers', size })),
  )
  await store.close()
}

/** Waits until a random time during the write of a snapshot; resolves with 1, or with 0 after the time limit. */
async function waitForCompaction({ folder }: DatabaseFolder): Promise<number> {
  const endMs = performance.now() + COMPACTION_LIMIT_MS
  while (performance.now() < endMs) {
    const isWriting = (await readdir(folder)).some((name) => name.endsWith('.tmp'))
    if (isWriting) {
      await sleep(Math.random() * LEAST_MS)
      return 1
    }
    await sleep(POLL_MS)
  }
  return 0
}

async function check(place: DatabaseFolder, acknowledged: string, tally: CrashTally): Promise<void> {
  const store = await openDatabase(place.file)
  const latest = new Map<number, number>()
  for (const [number = 0, slot = 0, sequence = 0] of await linesOf(acknowledged)) {
    latest.set(slot, number)
    if (!(await isWhole(store, number, sequence))) tally.lost += 1
  }
  for (const [slot, number] of latest) {
    const record = await store.get('customers', slotId(slot))
    const kept = record !== null && 'description' in record ? Number(record.description) : -1
    if (kept < number) tally.lost += 1
  }
  tally.torn += await countTorn(store)
  await store.close()
}

/** Returns whether all records of a transaction exist and its last event has the acknowledged sequence number. */
async function isWhole(store: Store, number: number, sequence: number): Promise<boolean> {
  for (let part = 0; part < NEW_PER_TRANSACTION; part += 1) {
    if ((await store.get('customers', partId(number, part))) === null) return false
  }
  const last = partId(number, NEW_PER_TRANSACTION - 1).replace('cus_', 'evt_')
  return (await store.get('events', last))?.sequence === sequence
}

/** Reads all events, and counts events that are out of sequence or belong to an incomplete transaction. */
async function countTorn(store: Store): Promise<number> {
  let torn = 0
  let expected: number | null = null
  let starting_after: string | undefined
  for (;;) {
    const cursor = starting_after === undefined ? {} : { starting_after }
    const { data, has_more } = await store.list('events', { limit: PAGE, ...cursor })
    for (const { id, sequence, data: told } of data) {
      if (expected !== null && sequence !== expected) torn += 1
      expected = sequence - 1
      const partner = await store.get('events', partnerOf(id))
      const object = await store.get('customers', told.object.id)
      if (partner === null || object === null) torn += 1
    }
    starting_after = data.at(-1)?.id
    if (!has_more) break
  }
  const slots = await Promise.all(
    Array.from({ length: WRITERS }, (_, slot) => store.get('customers', slotId(slot))),
  )
  for (const record of slots) {
    const number = record !== null && 'description' in record ? Number(record.description) : null
    if (number !== null && (await store.get('customers', partId(number, 0))) === null) torn += 1
  }
  return torn + (expected === null || expected === 0 ? 0 : 1)
}

/**
 * Returns the id of the other event of the same transaction: the two numbers are consecutive, and the even number is
 * first.
 */
function partnerOf(id: string): string {
  const last = Number(id.at(-1))
  return id.slice(0, -1) + String(last % 2 === 0 ? last + 1 : last - 1)
}

async function linesOf(file: string): Promise<number[][]> {
  const text = await readFile(file, 'utf8')
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split(' ').map(Number))
}
