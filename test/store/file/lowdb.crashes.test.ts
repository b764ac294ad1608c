import { existsSync } from 'node:fs'
import { readFile, truncate, writeFile } from 'node:fs/promises'
import { journalFile } from '../../../src/store/file/journal.ts'
import type { Store } from '../../../src/store/port/store.ts'
import { assert, suite } from '../../support/suite.ts'
import { commit, customer, event, idsOf, put, rejection, turn } from '../fixture.ts'
import { storeConformance } from '../port/conformance.ts'
import { copyFolder, type DatabaseFolder, makeFolder, openToCrash } from './lowdb-folder.ts'

const PROPERTY_RUNS = 10

storeConformance('store/lowdb that is never closed', () => openToCrash(), { runs: PROPERTY_RUNS })

const test = suite<{ place: DatabaseFolder; store: Store }>('store/lowdb crashes')

const TRANSACTIONS = 6
const STEP_BYTES = 61

test.before.each(async (context) => {
  context.place = await makeFolder()
  context.store = await context.place.open()
})

test.after.each(async ({ place }) => {
  await place.dispose()
})

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

/** Stores customers one after the other, each with its event. */
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

/** Where to cut or to flip: around the end of each line, and now and then between. */
function places(text: Buffer): number[] {
  const ends = [...text.entries()].filter(([, byte]) => byte === 0x0a).map(([at]) => at)
  const around = ends.flatMap((at) => [at - 1, at, at + 1, at + 2])
  const between = numbers(Math.floor(text.length / STEP_BYTES)).map((number) => number * STEP_BYTES)
  return [...new Set([0, ...around, ...between])].filter((at) => at < text.length).sort((a, b) => a - b)
}

const linesIn = (text: Buffer) => text.filter((byte) => byte === 0x0a).length

test('a journal cut at any byte opens with all of its whole transactions, and says what it set aside', async ({
  place,
  store,
}) => {
  await fill(store)
  const text = await readFile(journalFile(place.file, 0))
  for (const at of places(text)) {
    const copy = await copyFolder(place)
    await truncate(journalFile(copy.file, 0), at)
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

test('a journal with any bit flipped is refused by file and byte, and left as it is', async ({
  place,
  store,
}) => {
  await fill(store)
  const text = await readFile(journalFile(place.file, 0))
  for (const at of places(text)) {
    const copy = await copyFolder(place)
    const flipped = Buffer.from(text)
    flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8))
    await writeFile(journalFile(copy.file, 0), flipped)
    const { message } = await rejection(copy.open())
    assert.match(message, `${journalFile(copy.file, 0)} is damaged at byte `)
    assert.ok((await readFile(journalFile(copy.file, 0))).equals(flipped))
    await copy.dispose()
  }
})

test('a snapshot with any bit flipped is refused by name, and left as it is', async ({ place, store }) => {
  await fill(store)
  await store.close()
  const text = await readFile(place.file)
  for (const at of places(text)) {
    const copy = await copyFolder(place)
    const flipped = Buffer.from(text)
    flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8))
    await writeFile(copy.file, flipped)
    assert.match((await rejection(copy.open())).message, copy.file)
    assert.ok((await readFile(copy.file)).equals(flipped))
    await copy.dispose()
  }
})

test('a snapshot cut at any byte is refused by name', async ({ place, store }) => {
  await fill(store)
  await store.close()
  const text = await readFile(place.file)
  for (const at of places(text)) {
    const copy = await copyFolder(place)
    await truncate(copy.file, at)
    assert.match((await rejection(copy.open())).message, copy.file, `cut at ${at}`)
    await copy.dispose()
  }
})

test('after a crash amid checkpoints the database opens any number of times, changed or not', async ({
  place,
}) => {
  const eager = await makeFolder()
  const busy = await eager.open({ minJournalBytes: 0 })
  for (const number of numbers(40)) {
    await put(busy, customer(`cus_${number}`))
    for (const _ of numbers(number % 5)) await turn()
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

test('a database opened and closed without a change after a crash opens again', async ({ place }) => {
  const eager = await makeFolder()
  const busy = await eager.open({ minJournalBytes: 0 })
  await put(busy, customer('cus_1'))
  await put(busy, customer('cus_2'))
  while (!existsSync(eager.file) || existsSync(journalFile(eager.file, 0))) await turn()
  const copy = await copyFolder(eager)
  for (const _ of numbers(3)) await (await copy.open()).close()
  assert.equal(await idsOf(await copy.open(), 'customers'), ['cus_2', 'cus_1'])
  await copy.dispose()
  await eager.dispose()
  assert.equal(place.notes, [])
})

test.run()
