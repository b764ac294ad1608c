import { appendFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readSummary, removeSummary, writeSummary } from '../../../src/store/file/sandbox-summaries.ts'
import { newFolder } from '../../support/folders.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('store/file/sandbox-summaries')

const SUMMARY = { counts: { objects: 1, events: 2 }, bytes: 300, wakesAt: null }

async function writeDatabase() {
  const folder = newFolder()
  const file = join(folder, 'sbx_1.json')
  await writeFile(file, '{}')
  return { folder, file }
}

test('returns the summary that was written after the database', async () => {
  const { file } = await writeDatabase()
  assert.is(await readSummary(file), null)
  await writeSummary(file, SUMMARY, 'new')
  assert.equal(await readSummary(file), SUMMARY)
})

test('ignores the summary of a database that has changed after the summary was written', async () => {
  const { file } = await writeDatabase()
  await writeSummary(file, SUMMARY, 'new')
  await appendFile(file, '\n')
  assert.is(await readSummary(file), null)
})

test('ignores a damaged summary', async () => {
  const { file } = await writeDatabase()
  for (const text of ['', '{"counts":', 'null', '{}']) {
    await writeFile(`${file}.summary`, text)
    assert.is(await readSummary(file), null, text)
  }
})

test('writes no summary without a database, and removeSummary() deletes a summary', async () => {
  const { folder, file } = await writeDatabase()
  await writeSummary(join(folder, 'sbx_2.json'), SUMMARY, 'new')
  await writeSummary(file, SUMMARY, 'new')
  await removeSummary(file)
  assert.equal(await readdir(folder), ['sbx_1.json'])
})

test.run()
