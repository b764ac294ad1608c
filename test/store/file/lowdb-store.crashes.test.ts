import { existsSync } from 'node:fs'
import { readFile, truncate, writeFile } from 'node:fs/promises'
import { getJournalPath } from '../../../src/store/file/journal.ts'
import type { Store } from '../../../src/store/port/store.ts'
import { assert, suite } from '../../support/suite.ts'
import { commit, customer, event, idsOf, nextTurn, put, rejection } from '../fixture.ts'
import { storeConformance } from '../port/conformance.ts'
import { copyFolder, createDatabaseFolder, type DatabaseFolder, openCrashing } from './lowdb-folder.ts'

const PROPERTY_RUNS = 10

storeConformance('store/lowdb without clean close', () => openCrashing(), { runs: PROPERTY_RUNS })

const test = suite<{ place: DatabaseFolder; store: Store }>('store/lowdb crashes')

const TRANSACTIONS = 6
const STEP_BYTES = 61

test.before.each(async (context) => {
  context.place = await createDatabaseFolder()
  context.store = await context.place.open()
})

test.after.each(async ({ place }) => {
  await place.dispose()
})

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

/** Stores customers one by one, each with an event. */
async function fill(store: Store): Promise<void> {
  for (const number of numbers(TRANSACTIONS)) {
    const record = customer(`cus_${number}`, { name: `Zoë ${number}` })
    await store.transact(async () =>
      commit(null, {
        writes: [{ put: record }],
        events: [event(`evt_${number}`, { data: { object: record } })],
      }),
    )
  }
}

/** Returns byte offsets to damage: around the end of each line, and at intervals. */
function damageOffsets(text: Buffer): number[] {
  const ends = [...text.entries()].filter(([, byte]) => byte === 0x0a).map(([at]) => at)
  const around = ends.flatMap((at) => [at - 1, at, at + 1, at + 2])
  const between = numbers(Math.floor(text.length / STEP_BYTES)).map((number) => number * STEP_BYTES)
  return [...new Set([0, ...around, ...between])].filter((at) => at < text.length).sort((a, b) => a - b)
}

const linesIn = (text: Buffer) => text.filter((byte) => byte === 0x0a).length

test('a journal truncated at any byte opens with all complete transactions and reports the torn tail', async ({
  place,
  store,
}) => {
  await fill(store)
  const text = await readFile(getJournalPath(place.file, 0))
  for (const at of damageOffsets(text)) {
    const copy = await copyFolder(place)
    await truncate(getJournalPath(copy.file, 0), at)
    const whole = linesIn(text.subarray(0, at))
    const opened = await copy.open()
    assert.is((await idsOf(opened, 'customers')).length, whole, `cut at ${at}`)
    assert.is((await idsOf(opened, 'events')).length, whole, `cut at ${at}`)
    assert.is(copy.notes.length, at === 0 || text[at - 1] === 0x0a ? 0 : 1, `cut at ${at}`)
    const { events } = await opened.transact(async () => commit(null, { events: [event('evt_next')] }))
    assert.is(events[0]?.sequence, whole + 1)
    await copy.dispose()
  }
})

test('reports a flipped bit in a journal with file and byte, and does not change the file', async ({
  place,
  store,
}) => {
  await fill(store)
  const text = await readFile(getJournalPath(place.file, 0))
  for (const at of damageOffsets(text)) {
    const copy = await copyFolder(place)
    const flipped = Buffer.from(text)
    flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8))
    await writeFile(getJournalPath(copy.file, 0), flipped)
    const { message } = await rejection(copy.open())
    assert.match(message, `${getJournalPath(copy.file, 0)} is damaged at byte `)
    assert.ok((await readFile(getJournalPath(copy.file, 0))).equals(flipped))
    await copy.dispose()
  }
})

test('reports a flipped bit in a snapshot with the file, and does not change the file', async ({
  place,
  store,
}) => {
  await fill(store)
  await store.close()
  const text = await readFile(place.file)
  for (const at of damageOffsets(text)) {
    const copy = await copyFolder(place)
    const flipped = Buffer.from(text)
    flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8))
    await writeFile(copy.file, flipped)
    assert.match((await rejection(copy.open())).message, copy.file)
    assert.ok((await readFile(copy.file)).equals(flipped))
    await copy.dispose()
  }
})

test('reports a snapshot truncated at any byte with the file', async ({ place, store }) => {
  await fill(store)
  await store.close()
  const text = await readFile(place.file)
  for (const at of damageOffsets(text)) {
    const copy = await copyFolder(place)
    await truncate(copy.file, at)
    assert.match((await rejection(copy.open())).message, copy.file, `cut at ${at}`)
    await copy.dispose()
  }
})

test('opens any number of times after a crash during checkpoints', async ({ place }) => {
  const eager = await createDatabaseFolder()
  const busy = await eager.open({ minJournalBytes: 0 })
  for (const number of numbers(40)) {
    await put(busy, customer(`cus_${number}`))
    for (const _ of numbers(number % 5)) await nextTurn()
    if (number % 4 > 0) continue
    const copy = await copyFolder(eager)
    for (const _ of numbers(3)) {
      const opened = await copy.open()
      assert.is((await idsOf(opened, 'customers')).length, number)
      await opened.close()
    }
    await copy.dispose()
  }
  await eager.dispose()
  assert.is(place.notes.length, 0)
})

test('opens again after a crash and a close without a change', async ({ place }) => {
  const eager = await createDatabaseFolder()
  const busy = await eager.open({ minJournalBytes: 0 })
  await put(busy, customer('cus_1'))
  await put(busy, customer('cus_2'))
  while (!existsSync(eager.file) || existsSync(getJournalPath(eager.file, 0))) await nextTurn()
  const copy = await copyFolder(eager)
  for (const _ of numbers(3)) await (await copy.open()).close()
  assert.equal(await idsOf(await copy.open(), 'customers'), ['cus_2', 'cus_1'])
  await copy.dispose()
  await eager.dispose()
  assert.equal(place.notes, [])
})

test.run()
