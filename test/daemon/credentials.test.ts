import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadCredentials } from '../../src/daemon/credentials.ts'
import { createIds } from '../../src/daemon/ids.ts'
import { StartupProblem } from '../../src/domain/startup-problem.ts'
import { newFolder } from '../support/folders.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('daemon/credentials')

const ids = createIds()
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
const fileIn = (home: string) => join(home, 'credentials.json')

/** The problem that loading must end with. */
async function problem(home: string): Promise<StartupProblem> {
  const error = await loadCredentials(home, ids).catch((thrown: unknown) => thrown)
  if (error instanceof StartupProblem) return error
  throw new Error(`no problem, but ${String(error)}`)
}

test('they are made once and stay the same', async () => {
  const home = join(newFolder(), 'new', 'home')
  const made = await loadCredentials(home, ids)
  assert.match(made.api_key, /^paysk_test_[0-9A-Za-z]{32}$/)
  assert.match(made.webhook_secret, /^whsec_[0-9A-Za-z+/]{32}$/)
  assert.equal(await loadCredentials(home, createIds()), made)
  assert.equal(JSON.parse(readFileSync(fileIn(home), 'utf8')), made)
})

test('only their owner may read the file and enter the folder', async () => {
  const home = join(newFolder(), 'home')
  await loadCredentials(home, ids)
  assert.equal([modeOf(home), modeOf(fileIn(home))], ['700', '600'])
})

test('one that is missing is made and the other one kept, private even if the file was not', async () => {
  const home = newFolder()
  writeFileSync(fileIn(home), '{"api_key":"paysk_test_mine"}')
  chmodSync(fileIn(home), 0o644)
  const { api_key, webhook_secret } = await loadCredentials(home, ids)
  assert.is(api_key, 'paysk_test_mine')
  assert.match(webhook_secret, /^whsec_/)
  assert.is(modeOf(fileIn(home)), '600')
})

test('a symbolic link is neither read nor written', async () => {
  const [home, elsewhere] = [newFolder(), join(newFolder(), 'target.json')]
  const text = '{"api_key":"paysk_test_planted","webhook_secret":"whsec_planted"}'
  writeFileSync(elsewhere, text)
  symlinkSync(elsewhere, fileIn(home))
  const { code, message } = await problem(home)
  assert.is(code, 'file_is_link')
  assert.match(message, fileIn(home))
  assert.is(readFileSync(elsewhere, 'utf8'), text)
})

test('a link to nothing is not followed either', async () => {
  const home = newFolder()
  symlinkSync(join(newFolder(), 'nothing'), fileIn(home))
  assert.is((await problem(home)).code, 'file_is_link')
})

for (const text of ['', '{"api_key":"paysk_', 'null', '"text"']) {
  test(`a file that holds '${text}' is left as it is`, async () => {
    const home = newFolder()
    writeFileSync(fileIn(home), text)
    const { code, message } = await problem(home)
    assert.is(code, 'file_damaged')
    assert.match(message, `${fileIn(home)} is not a JSON object. Restore it from a copy, or remove it`)
    assert.is(readFileSync(fileIn(home), 'utf8'), text)
  })
}

test('a place that cannot be read or written is named', async () => {
  const file = join(newFolder(), 'file')
  writeFileSync(file, '')
  assert.match((await problem(file)).message, `${fileIn(file)} cannot be read: ENOTDIR`)
  const home = newFolder()
  mkdirSync(fileIn(home))
  assert.match((await problem(home)).message, `${fileIn(home)} is a folder, where a file has to be.`)
})

test.run()
