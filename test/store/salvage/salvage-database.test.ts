import { copyFile, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { getJournalPath } from '../../../src/store/file/journal.ts'
import { loadDatabase } from '../../../src/store/file/recovery.ts'
import { CHECKSUM_BLOCK_BYTES } from '../../../src/store/file/snapshot-writer.ts'
import type { MemoryRecords } from '../../../src/store/memory/memory-records.ts'
import { COLLECTION_NAMES } from '../../../src/store/port/collections.ts'
import type { Store } from '../../../src/store/port/store.ts'
import { type SalvageResult, salvageDatabase } from '../../../src/store/salvage/salvage-database.ts'
import { newFolder } from '../../support/folders.ts'
import { noteRuns, runCount } from '../../support/property.ts'
import { assert, suite } from '../../support/suite.ts'
import { copyFolder, createDatabaseFolder, type DatabaseFolder } from '../file/lowdb-folder.ts'
import { commit, customer, event, put, remove } from '../fixture.ts'

interface SalvageContext {
  place: DatabaseFolder
  folder: string
  file: string
  /** The original records as JSON, by object and id. */
  originals: ReadonlyMap<string, string>
}

const test = suite<SalvageContext>('store/salvage')

const FLIPS = 40
const IN_SNAPSHOT = 300
const CHANGES = 60
const NEWLINE = 0x0a

/** A crashed database with a snapshot of several blocks and a journal that changes, adds and removes records. */
test.before(async (context) => {
  const origin = await createDatabaseFolder()
  const store = await origin.open()
  for (let number = 0; number < IN_SNAPSHOT; number += 1) await storeWithEvent(store, number, 'first')
  await store.close()
  const again = await origin.open()
  for (let change = 0; change < CHANGES; change += 1) {
    await storeWithEvent(again, (change * 7) % 40, `changed ${change}`)
    if (change % 5 === 0) await remove(again, customer(`cus_${100 + change}`))
    if (change % 6 === 0) await put(again, customer(`cus_new_${change}`))
  }
  context.place = await copyFolder(origin)
  await origin.dispose()
  const { records } = await loadDatabase(context.place.file)
  context.originals = textsIn(records)
})

test.after(({ place }) => place.dispose())

test.before.each(async (context) => {
  context.folder = newFolder()
  context.file = join(context.folder, 'paycli.json')
  for (const name of ['paycli.json', 'paycli.json.journal-1']) {
    await copyFile(join(context.place.folder, name), join(context.folder, name))
  }
})

async function storeWithEvent(store: Store, number: number, name: string): Promise<void> {
  const record = customer(`cus_${number}`, { name: `${name} ${'Zoë '.repeat(20)}` })
  const id = `evt_${number}_${name.replaceAll(' ', '_')}`
  await store.transact(async () =>
    commit(null, { writes: [{ put: record }], events: [event(id, { data: { object: record } })] }),
  )
}

function textsIn(records: MemoryRecords): Map<string, string> {
  const all = COLLECTION_NAMES.flatMap((name) => [...records.all(name)])
  return new Map(all.map((record) => [`${record.object} ${record.id}`, JSON.stringify(record)]))
}

/** Returns altered records that the result does not report as suspect. */
function unreported({ records, suspect }: SalvageResult, { originals }: SalvageContext): string[] {
  const named = new Set(suspect.map(({ object, id }) => `${object} ${id}`))
  return [...textsIn(records)]
    .filter(([key, text]) => originals.get(key) !== text && !named.has(key))
    .map(([key]) => key)
}

function requireCompleteReport(salvaged: SalvageResult, context: SalvageContext, what: string): void {
  assert.equal(unreported(salvaged, context), [], what)
  const saved = textsIn(salvaged.records)
  const isComplete = [...context.originals].every(([key, text]) => saved.get(key) === text)
  assert.ok(isComplete || salvaged.lost.length > 0, `${what}: a missing record is not reported`)
}

const journalOf = ({ file }: Pick<SalvageContext, 'file'>) => getJournalPath(file, 1)

for (const [what, fileOf] of [
  ['snapshot', ({ file }: SalvageContext) => file],
  ['journal', journalOf],
] as const) {
  test(`reports every altered record when a bit of the ${what} is flipped`, async (context) => {
    const file = fileOf(context)
    const original = await readFile(file)
    let altered = 0
    const property = fc.asyncProperty(fc.nat(original.length - 1), fc.nat(7), async (at, bit) => {
      const bytes = Buffer.from(original)
      bytes[at] = (bytes[at] ?? 0) ^ (1 << bit)
      await writeFile(file, bytes)
      const salvaged = await salvageDatabase(context.file)
      requireCompleteReport(salvaged, context, `bit ${bit} of byte ${at}`)
      if (salvaged.suspect.length > 0) altered += 1
    })
    const settings = { ...runCount(FLIPS) }
    await fc.assert(property, { ...settings, numRuns: Number(process.env.PAYCLI_RUNS ?? FLIPS) })
    assert.ok(altered > FLIPS / 2, `${altered} flips made records suspect`)
    noteRuns(settings.numRuns, `bit flips of the ${what}`)
  })

  test(`reports every altered record when bytes of the ${what} are overwritten or truncated`, async (context) => {
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
        const salvaged = await salvageDatabase(context.file)
        // A journal truncated between two transactions looks like an older, intact journal.
        const isCutBetween = size === 0 || (size < bytes.length && bytes[size - 1] === NEWLINE)
        if (what !== 'journal' || !isCutBetween)
          requireCompleteReport(salvaged, context, JSON.stringify(damages))
      },
    )
    await fc.assert(property, runCount(FLIPS))
  })
}

test('returns all records of an undamaged database without suspects', async (context) => {
  const { lost, suspect, records } = await salvageDatabase(context.file)
  assert.equal([lost, suspect], [[], []])
  assert.equal(textsIn(records), context.originals)
})

test('marks only records of the damaged block as suspect', async (context) => {
  const bytes = await readFile(context.file)
  const at = CHECKSUM_BLOCK_BYTES + bytes.subarray(CHECKSUM_BLOCK_BYTES).indexOf('Zoë')
  bytes[at] = 0x5b
  await writeFile(context.file, bytes)
  const { suspect, lost } = await salvageDatabase(context.file)
  assert.is(lost.length, 1)
  assert.match(lost[0] ?? '', `bytes from ${CHECKSUM_BLOCK_BYTES} to ${2 * CHECKSUM_BLOCK_BYTES}`)
  assert.ok(suspect.length > 10 && suspect.length < context.originals.size / 2, `${suspect.length} suspect`)
  assert.ok(suspect.every(({ reason }) => reason === 'unverified'))
})

test('does not mark records as outdated that a later transaction wrote', async (context) => {
  const lines = (await readFile(journalOf(context), 'latin1')).split('\n')
  lines[3] = `${lines[3]}?`
  await writeFile(journalOf(context), lines.join('\n'), 'latin1')
  const { suspect, lost } = await salvageDatabase(context.file)
  assert.match(lost[0] ?? '', 'cannot be read; it seems to contain ')
  assert.match(lost[1] ?? '', /transactions \d+ to \d+ are lost/)
  const named = suspect.filter(({ reason }) => reason === 'outdated').map(({ id }) => id)
  assert.ok(named.includes('cus_250'))
  assert.not(named.includes('cus_new_54'))
})

test('marks every record as outdated when the journal of an open database is missing', async (context) => {
  await rm(journalOf(context))
  const { suspect, lost, records } = await salvageDatabase(context.file)
  assert.match(lost.join(), `${journalOf(context)}: the file is missing`)
  assert.is(suspect.length, textsIn(records).size)
})

test('returns the records of the journal when the snapshot is missing, and reports the missing file', async (context) => {
  await rm(context.file)
  const salvaged = await salvageDatabase(context.file)
  assert.equal(salvaged.lost, [`${context.file}: the file is missing`])
  assert.equal(unreported(salvaged, context), [])
  assert.ok(salvaged.records.count('customers') > 30)
})

test('does not change any file of the database', async (context) => {
  await mkdir(join(context.folder, 'other'))
  const bytes = await readFile(context.file)
  bytes[9] = 0
  await writeFile(context.file, bytes)
  await salvageDatabase(context.file)
  assert.ok((await readFile(context.file)).equals(bytes))
  assert.equal((await readdir(context.folder)).sort(), ['other', 'paycli.json', 'paycli.json.journal-1'])
})

test.run()
