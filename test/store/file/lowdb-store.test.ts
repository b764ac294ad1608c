import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { JSONFilePreset } from 'lowdb/node'
import { StartupError } from '../../../src/domain/core/startup-error.ts'
import { COLLECTION_NAMES } from '../../../src/store/port/collections.ts'
import { RECORD_FORMAT_VERSION } from '../../../src/store/port/format.ts'
import { assert, suite } from '../../support/suite.ts'
import { customer, idsOf, put, rejection } from '../fixture.ts'
import { storeConformance } from '../port/conformance.ts'
import { SAMPLES } from '../samples.ts'
import { createDatabaseFolder, type DatabaseFolder, openInFolder } from './lowdb-folder.ts'

const PROPERTY_RUNS = 40

storeConformance('store/lowdb', () => openInFolder(), { runs: PROPERTY_RUNS })
const test = suite<{ place: DatabaseFolder }>('store/lowdb files')

test.before.each(async (context) => {
  context.place = await createDatabaseFolder()
})

test.after.each(async ({ place }) => {
  await place.dispose()
})

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

/** Creates the folder with a database file of the given text. */
async function plant({ file, folder }: DatabaseFolder, text: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(file, text)
}

test('creates files with mode 0600 and folders with mode 0700', async ({ place }) => {
  const mask = process.umask(0)
  try {
    const store = await place.open()
    for (const number of [1, 2, 3]) {
      await put(store, customer(`cus_${number}`))
      for (const name of await readdir(place.folder)) {
        assert.is(await modeOf(join(place.folder, name)), '600', name)
      }
      assert.is(await modeOf(place.folder), '700')
      assert.is(await modeOf(dirname(place.folder)), '700')
    }
  } finally {
    process.umask(mask)
  }
})

for (const name of ['paycli.json', 'paycli.json.journal-0', 'paycli.json.lock']) {
  test(`rejects a symbolic link in place of ${name}, and keeps its target`, async ({ place }) => {
    await mkdir(place.folder, { recursive: true })
    const target = join(place.folder, 'other')
    await writeFile(target, 'precious')
    await symlink(target, join(place.folder, name))
    const error = await rejection(place.open())
    assert.ok(error instanceof StartupError && error.code === 'file_is_link', error.message)
    assert.match(error.message, join(place.folder, name))
    assert.is(await readFile(target, 'utf8'), 'precious')
  })
}

const META = `"meta":{"format":${RECORD_FORMAT_VERSION},"generation":0,"transaction":0,"sequence":0,"closed":true}`

/** Returns the text of a snapshot with valid checksums. */
function withChecksums(text: string): string {
  const blocks = JSON.stringify([crc32(text)])
  return `${text},\n"check":{"blocks":${blocks},"crc32":${crc32(blocks)}}}\n`
}

/** Damaged files, by their defect. */
const DAMAGED: Readonly<Record<string, string>> = {
  'is null': 'null',
  'has no checksums': `{${META},\n"customers":[]}`,
  'was truncated': withChecksums(`{${META},\n"customers":[]`).slice(0, -1),
  'was edited': withChecksums(`{${META},\n"customers":[]`).replace('customers', 'consumers'),
  'contains a record of an unknown type': withChecksums(
    `{${META},\n"customers":[\n{"id":"gad_1","object":"gadget"}\n]`,
  ),
}

for (const [what, text] of Object.entries(DAMAGED)) {
  test(`rejects a database file that ${what}, names it in the error and does not change it`, async ({
    place,
  }) => {
    await plant(place, text)
    assert.match((await rejection(place.open())).message, place.file)
    assert.is(await readFile(place.file, 'utf8'), text)
    const others = (await readdir(place.folder)).filter((name) => !name.includes('.lock'))
    assert.equal(others, ['paycli.json'])
  })
}

const PACKAGE = JSON.stringify({ name: 'shop', version: '1.0.0' }, null, 2)

/** Files of other programs. */
const FOREIGN_TEXTS = [
  '',
  '{}',
  '[]',
  '{"posts":[{"id":1}]}',
  '{"meta":{"format":"x"}}',
  PACKAGE,
  'customers:\n',
]

for (const text of FOREIGN_TEXTS) {
  test(`rejects a file of another program with the contents ${JSON.stringify(text)} and does not change it`, async ({
    place,
  }) => {
    await plant(place, text)
    for (const isReset of [false, true]) {
      const error = await rejection(place.open({ isReset }))
      assert.ok(error instanceof StartupError && error.code === 'database_foreign', error.message)
      assert.match(error.message, `${place.file} is not a paycli database`)
    }
    assert.is(await readFile(place.file, 'utf8'), text)
    assert.equal(await readdir(place.folder), ['paycli.json'])
  })
}

const OTHER_META = META.replace(`"format":${RECORD_FORMAT_VERSION}`, '"format":1').replace(
  /\}$/,
  ',"version":"9.1.0"}',
)

for (const [what, text] of Object.entries({
  'the same layout': withChecksums(`{${OTHER_META},\n"customers":[]`),
  'another layout': `{${OTHER_META},\n"tables":{}}\n`,
})) {
  test(`rejects a database in another format with ${what} and names the version that wrote it`, async ({
    place,
  }) => {
    await plant(place, text)
    const error = await rejection(place.open())
    assert.ok(error instanceof StartupError && error.code === 'database_format', error.message)
    assert.match(error.message, `${place.file} was written by paycli 9.1.0 in format 1`)
    assert.is(await readFile(place.file, 'utf8'), text)
  })
}

test('opens an undamaged database file', async ({ place }) => {
  const record = JSON.stringify(customer('cus_1'))
  await plant(place, withChecksums(`{${META},\n"customers":[\n${record}\n]`))
  assert.equal(await idsOf(await place.open(), 'customers'), ['cus_1'])
})

test('JSONFilePreset of lowdb reads every record of the closed file', async ({ place }) => {
  const store = await place.open()
  const { events: _event, ...samples } = SAMPLES
  await put(store, ...Object.values(samples))
  await store.close()
  assert.is(process.env['NODE_ENV'], undefined, 'with NODE_ENV=test the preset would use memory only')
  const { data } = await JSONFilePreset<Record<string, unknown>>(place.file, {})
  for (const name of COLLECTION_NAMES) {
    assert.is(JSON.stringify(data[name]), JSON.stringify(name === 'events' ? [] : [SAMPLES[name]]), name)
  }
})

test('the file contains one record per line', async ({ place }) => {
  const store = await place.open()
  await put(store, customer('cus_1'), customer('cus_2'), SAMPLES.counters)
  await store.close()
  const lines = (await readFile(place.file, 'utf8')).split('\n').map((line) => line.replace(/,$/, ''))
  for (const record of [customer('cus_1'), customer('cus_2'), SAMPLES.counters]) {
    assert.ok(lines.includes(JSON.stringify(record)), record.id)
  }
})

test('stores records on disk even with NODE_ENV=test', async ({ place }) => {
  process.env['NODE_ENV'] = 'test'
  try {
    const store = await place.open()
    await put(store, customer('cus_1'))
    await store.close()
    assert.equal(await idsOf(await place.open(), 'customers'), ['cus_1'])
  } finally {
    delete process.env['NODE_ENV']
  }
})

test.run()
