import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { COLLECTION_NAMES, COLLECTION_RULES, getCollectionName } from '../../src/store/port/collections.ts'
import type { Store, Write } from '../../src/store/port/store.ts'
import { emptyDatabase, newDatabaseUrl, stopOwnPostgres } from '../support/postgres.ts'
import type { RecordedRead, RecordedStep } from '../support/store-record.ts'
import { afterEachSuite, assert, suite } from '../support/suite.ts'
import { isFullRun } from '../support/test-level.ts'
import { copyFolder, createDatabaseFolder, type DatabaseFolder } from './file/lowdb-folder.ts'
import { listQueriesOf } from './list-queries.ts'
import { type Fields, NaiveStore } from './naive-store.ts'
import { openAt } from './postgres/postgres-stores.ts'

const test = suite('store/open-store.replay', {}, 20 * 60_000)

afterEachSuite(stopOwnPostgres)

/** The number of steps that start together, like transactions of concurrent requests. */
const TOGETHER = 2

/** Each step waits for its store, so a single location would take minutes while other processes are busy. */
const PLACES_AT_ONCE = 6

interface Recording {
  readonly name: string
  readonly steps: readonly RecordedStep[]
}

/** A location of stores, such as a folder or a PostgreSQL database. */
interface Place {
  /** Returns a store that has no records. */
  readonly start: () => Promise<Store>
  /** Returns a store with the durable contents of the last store, as after a crash. */
  readonly reopen: () => Promise<Store>
  readonly leave: () => Promise<void>
}

const recordings = selectRecordings(readRecordings())

/** Reads the recordings of the tests that ran before, in the order of their names. */
function readRecordings(): Recording[] {
  const { PAYCLI_TEST_RECORDED: folder } = process.env
  if (folder === undefined) return []
  return readdirSync(folder)
    .sort()
    .flatMap((name) =>
      readFileSync(join(folder, name), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line, index) => ({ name: `${name} ${index + 1}`, steps: JSON.parse(line) })),
    )
}

// Returns the recordings to repeat. Steps of the same shape are repeated once, except in a full run.
function selectRecordings(all: readonly Recording[]): Recording[] {
  if (isFullRun()) return [...all]
  const known = new Set<string>()
  // The shortest recordings come first, so that few steps contain all shapes.
  const ordered = all.toSorted((a, b) => a.steps.length - b.steps.length)
  return ordered.flatMap(({ name, steps }) => {
    const last = steps.findLastIndex(({ shapes }) => shapes.some((shape) => !known.has(shape)))
    const kept = steps.slice(0, last + 1)
    for (const { shapes } of kept) for (const shape of shapes) known.add(shape)
    return kept.length === 0 ? [] : [{ name, steps: kept }]
  })
}

const PLACES: Readonly<Record<'lowdb' | 'postgres', () => Promise<Place>>> = {
  async lowdb() {
    const folders: DatabaseFolder[] = []
    const open = async (folder: DatabaseFolder) => {
      folders.push(folder)
      return folder.open()
    }
    return {
      start: async () => open(await createDatabaseFolder()),
      reopen: async () => open(await copyFolder(folders.at(-1) as DatabaseFolder)),
      leave: async () => {
        for (const folder of folders.splice(0)) await folder.dispose()
      },
    }
  },
  async postgres() {
    const url = await newDatabaseUrl()
    // The tests empty and share one database: opening a database takes a hundred times as long.
    const store = await openAt(url)
    afterEachSuite(() => store.close())
    return { start: async () => store, reopen: async () => store, leave: () => emptyDatabase(url) }
  },
}

/** Repeats the steps and returns the results of the store. */
async function repeat(store: Store, steps: readonly RecordedStep[]): Promise<unknown[]> {
  const answers: unknown[] = []
  for (let at = 0; at < steps.length; ) {
    const together = steps.slice(at, at + TOGETHER)
    // A read and a concurrent transaction would have no defined order.
    const isMixed = new Set(together.map(({ changes }) => changes === null)).size > 1
    const batch = isMixed ? together.slice(0, 1) : together
    answers.push(...(await Promise.all(batch.map((step) => repeatStep(store, step)))))
    at += batch.length
  }
  return answers
}

async function repeatStep(store: Store, { reads, changes }: RecordedStep): Promise<unknown> {
  if (changes === null) return readAll(store, reads)
  const { result, events } = await store.transact(async (reader) => ({
    result: await readAll(reader, reads),
    ...changes,
  }))
  return { result, events }
}

type Reader = Readonly<Record<RecordedRead[0], unknown>>

function readAll(reader: Reader, reads: readonly RecordedRead[]): Promise<unknown[]> {
  return Promise.all(reads.map(async (read) => [read, await ask(reader, read)]))
}

function ask(reader: Reader, [method, ...args]: RecordedRead): unknown {
  return (reader[method] as (...given: readonly unknown[]) => unknown).call(reader, ...args)
}

/** Repeats the steps with the model and returns its results. */
async function expectSteps(model: NaiveStore, steps: readonly RecordedStep[]): Promise<unknown[]> {
  const answers: unknown[] = []
  for (const { reads, changes } of steps) {
    const result = await readAll(model, reads)
    const { writes, events } = changes ?? { writes: [], events: [] }
    for (const write of writes) {
      if ('put' in write) model.put(write.put as Fields)
      else model.remove(write.remove)
    }
    const announced = events.map((event) => model.announce({ ...event }))
    answers.push(changes === null ? result : { result, events: announced })
  }
  return answers
}

/** Returns all records in insertion order, the newest sequence number and the next deadline. */
async function contentsOf(store: Reader & { nextDeadline(): unknown }): Promise<unknown> {
  const reads = COLLECTION_NAMES.map((name): RecordedRead => ['listOldest', name, Number.MAX_SAFE_INTEGER])
  return [...(await readAll(store, [...reads, ['newestSequence']])), await store.nextDeadline()]
}

/** Returns each state of each record that steps wrote, oldest first. */
function writtenBy(steps: readonly RecordedStep[]): Fields[] {
  const writes = steps.flatMap(({ changes }) => changes?.writes ?? [])
  const events = steps.flatMap(({ changes }) => changes?.events ?? [])
  return [...writes.flatMap((write) => ('put' in write ? [write.put] : [])), ...events] as Fields[]
}

test('earlier tests of the run recorded their store calls', () => {
  assert.ok(recordings.length > 0, 'run this file together with tests of the API, the engine or scenarios')
})

for (const [name, createPlace] of Object.entries(PLACES)) {
  test(`${name} returns the results and contents of a sorted and filtered array`, async () => {
    const waiting = [...recordings]
    const work = async () => {
      const place = await createPlace()
      for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) await compare(one, place)
    }
    await Promise.all(Array.from({ length: PLACES_AT_ONCE }, work))
  })
}

/** Returns the first step that removes a listed record, or else the middle step. */
function findMiddle(steps: readonly RecordedStep[]): number {
  const isListed = (write: Write) =>
    'remove' in write && Object.keys(COLLECTION_RULES[getCollectionName(write.remove)].filters).length > 0
  const removal = steps.findIndex(({ changes }) => changes?.writes.some(isListed))
  return removal === -1 ? Math.ceil(steps.length / 2) : removal
}

/** Repeats a recording with the store of a place and with the model, and compares every result and the contents at the end. */
async function compare({ name, steps }: Recording, place: Place): Promise<void> {
  const [model, store] = [new NaiveStore(), await place.start()]
  const lists = listQueriesOf(writtenBy(steps))
  const middle = findMiddle(steps)
  // Indexes that a list needed once must follow later changes.
  for (const some of [steps.slice(0, middle), steps.slice(middle)]) {
    const answers = [...(await repeat(store, some)), ...(await readAll(store, lists))]
    const expected = [...(await expectSteps(model, some)), ...(await readAll(model, lists))]
    for (const [index, answer] of answers.entries()) assert.equal(answer, expected[index], name)
  }
  assert.equal(await contentsOf(await place.reopen()), await contentsOf(model), `${name}, at the end`)
  await place.leave()
}

test.run()
