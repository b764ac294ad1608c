import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { journalFile } from '../../../src/store/file/journal.ts'
import { loadDatabase } from '../../../src/store/file/recovery.ts'
import { BLOCK_BYTES } from '../../../src/store/file/snapshot-writer.ts'
import type { Records } from '../../../src/store/memory/records.ts'
import { COLLECTION_NAMES } from '../../../src/store/port/collections.ts'
import type { Store } from '../../../src/store/port/store.ts'
import { type Salvaged, salvage } from '../../../src/store/salvage/salvage.ts'
import { noteTried, runs } from '../../support/property.ts'
import { assert, suite } from '../../support/suite.ts'
import { copyFolder, type DatabaseFolder, makeFolder } from '../file/lowdb-folder.ts'
import { commit, customer, event, put, remove } from '../fixture.ts'

interface Context {
  place: DatabaseFolder
  folder: string
  file: string
  /** What the database held, as JSON by object and id. */
  truth: ReadonlyMap<string, string>
}

const test = suite<Context>('store/salvage')

const FLIPS = 40
const IN_SNAPSHOT = 300
const CHANGES = 60
const NEWLINE = 0x0a

/** A crashed database with a snapshot of several blocks and a journal that changes, adds and removes records. */
test.before(async (context) => {
  const origin = await makeFolder()
  const store = await origin.open()
  for (let number = 0; number < IN_SNAPSHOT; number += 1) await announce(store, number, 'first')
  await store.close()
  const again = await origin.open()
  for (let change = 0; change < CHANGES; change += 1) {
    await announce(again, (change * 7) % 40, `changed ${change}`)
    if (change % 5 === 0) await remove(again, customer(`cus_${100 + change}`))
    if (change % 6 === 0) await put(again, customer(`cus_new_${change}`))
  }
  context.place = await copyFolder(origin)
  await origin.dispose()
  const { records } = await loadDatabase(context.place.file)
  context.truth = textsIn(records)
})

test.after(({ place }) => place.dispose())

test.before.each(async (context) => {
  context.folder = await mkdtemp(join(tmpdir(), 'paycli-salvage-'))
  context.file = join(context.folder, 'paycli.json')
  for (const name of ['paycli.json', 'paycli.json.journal-1']) {
    await copyFile(join(context.place.folder, name), join(context.folder, name))
  }
})

test.after.each(({ folder }) => rm(folder, { recursive: true, force: true }))

async function announce(store: Store, number: number, name: string): Promise<void> {
  const record = customer(`cus_${number}`, { name: `${name} ${'Zoë '.repeat(20)}` })
  const id = `evt_${number}_${name.replaceAll(' ', '_')}`
  await store.transact(async () =>
    commit(null, { writes: [{ put: record }], events: [event(id, { data: { object: record } })] }),
  )
}

function textsIn(records: Records): Map<string, string> {
  const all = COLLECTION_NAMES.flatMap((name) => [...records.all(name)])
  return new Map(all.map((record) => [`${record.object} ${record.id}`, JSON.stringify(record)]))
}

/** Saved records that are not as the database had them, and that the report does not name. */
function unnamed({ records, suspect }: Salvaged, { truth }: Context): string[] {
  const named = new Set(suspect.map(({ object, id }) => `${object} ${id}`))
  return [...textsIn(records)]
    .filter(([key, text]) => truth.get(key) !== text && !named.has(key))
    .map(([key]) => key)
}

function requireHonest(salvaged: Salvaged, context: Context, what: string): void {
  assert.equal(unnamed(salvaged, context), [], what)
  const saved = textsIn(salvaged.records)
  const isWhole = [...context.truth].every(([key, text]) => saved.get(key) === text)
  assert.ok(isWhole || salvaged.lost.length > 0, `${what}: something is missing and nothing is said to be`)
}

const journalOf = ({ file }: Pick<Context, 'file'>) => journalFile(file, 1)

for (const [what, fileOf] of [
  ['snapshot', ({ file }: Context) => file],
  ['journal', journalOf],
] as const) {
  test(`names every altered record when a bit of the ${what} is flipped`, async (context) => {
    const file = fileOf(context)
    const original = await readFile(file)
    let altered = 0
    const property = fc.asyncProperty(fc.nat(original.length - 1), fc.nat(7), async (at, bit) => {
      const bytes = Buffer.from(original)
      bytes[at] = (bytes[at] ?? 0) ^ (1 << bit)
      await writeFile(file, bytes)
      const salvaged = await salvage(context.file)
      requireHonest(salvaged, context, `bit ${bit} of byte ${at}`)
      if (salvaged.suspect.length > 0) altered += 1
    })
    const settings = { ...runs(FLIPS) }
    await fc.assert(property, { ...settings, numRuns: Number(process.env.PAYCLI_RUNS ?? FLIPS) })
    assert.ok(altered > FLIPS / 2, `${altered} flips made records suspect`)
    noteTried(settings.numRuns, `bit flips of the ${what}`)
  })

  test(`names every altered record when bytes of the ${what} are overwritten or cut off`, async (context) => {
    const file = fileOf(context)
    const original = await readFile(file)
    const anyDamage = fc.record({
      at: fc.nat(original.length - 1),
      length: fc.integer({ min: 1, max: 3000 }),
      kind: fc.constantFrom('zeros', 'text', 'cut' as const),
    })
    const property = fc.asyncProperty(
      fc.array(anyDamage, { minLength: 1, maxLength: 3 }),
      async (damages) => {
        const bytes = Buffer.from(original)
        let size = bytes.length
        for (const { at, length, kind } of damages) {
          if (kind === 'cut') size = Math.min(size, at)
          else bytes.fill(kind === 'zeros' ? 0 : '{"id":"cus_1",\n', at, Math.min(at + length, bytes.length))
        }
        await writeFile(file, bytes)
        await truncate(file, size)
        const salvaged = await salvage(context.file)
        // A journal cut between two transactions is as it was before the second.
        const isCutBetween = size === 0 || (size < bytes.length && bytes[size - 1] === NEWLINE)
        if (what !== 'journal' || !isCutBetween) requireHonest(salvaged, context, JSON.stringify(damages))
      },
    )
    await fc.assert(property, runs(FLIPS))
  })
}

test('an undamaged database is saved whole, and nothing is suspect', async (context) => {
  const { lost, suspect, records } = await salvage(context.file)
  assert.equal([lost, suspect], [[], []])
  assert.equal(textsIn(records), context.truth)
})

test('only records of the damaged block are suspect', async (context) => {
  const bytes = await readFile(context.file)
  const at = BLOCK_BYTES + bytes.subarray(BLOCK_BYTES).indexOf('Zoë')
  bytes[at] = 0x5b
  await writeFile(context.file, bytes)
  const { suspect, lost } = await salvage(context.file)
  assert.is(lost.length, 1)
  assert.match(lost[0] ?? '', `bytes from ${BLOCK_BYTES} to ${2 * BLOCK_BYTES}`)
  assert.ok(suspect.length > 10 && suspect.length < context.truth.size / 2, `${suspect.length} suspect`)
  assert.ok(suspect.every(({ reason }) => reason === 'unverified'))
})

test('records that a later transaction writes are not outdated by a lost one', async (context) => {
  const lines = (await readFile(journalOf(context), 'latin1')).split('\n')
  lines[3] = `${lines[3]}?`
  await writeFile(journalOf(context), lines.join('\n'), 'latin1')
  const { suspect, lost } = await salvage(context.file)
  assert.match(lost[0] ?? '', 'cannot be read; it seems to name ')
  assert.match(lost[1] ?? '', /transactions \d+ to \d+ are lost/)
  const named = suspect.filter(({ reason }) => reason === 'outdated').map(({ id }) => id)
  assert.ok(named.includes('cus_250'))
  assert.not(named.includes('cus_new_54'))
})

test('without the journal of an open database every record may be outdated', async (context) => {
  await rm(journalOf(context))
  const { suspect, lost, records } = await salvage(context.file)
  assert.match(lost.join(), `${journalOf(context)}: the file is missing`)
  assert.is(suspect.length, textsIn(records).size)
})

test('without the snapshot what the journal holds is saved, and the file named as missing', async (context) => {
  await rm(context.file)
  const salvaged = await salvage(context.file)
  assert.equal(salvaged.lost, [`${context.file}: the file is missing`])
  assert.equal(unnamed(salvaged, context), [])
  assert.ok(salvaged.records.count('customers') > 30)
})

test('a salvage changes none of the files', async (context) => {
  await mkdir(join(context.folder, 'other'))
  const bytes = await readFile(context.file)
  bytes[9] = 0
  await writeFile(context.file, bytes)
  await salvage(context.file)
  assert.ok((await readFile(context.file)).equals(bytes))
  assert.equal((await readdir(context.folder)).sort(), ['other', 'paycli.json', 'paycli.json.journal-1'])
})

test.run()
