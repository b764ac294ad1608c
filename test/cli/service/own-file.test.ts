import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../../src/cli/errors/usage-error.ts'
import { writeEnvFile } from '../../../src/cli/serve/env-file.ts'
import { readOwnFile, writeOwnFile } from '../../../src/cli/service/own-file.ts'
import { readProfiles } from '../../../src/cli/service/profiles.ts'
import { writeProfiles } from '../../../src/cli/service/profiles-file.ts'
import { findLocalDaemon } from '../../../src/cli/service/service-discovery.ts'
import { openPrivateLog } from '../../../src/store/disk/private-file.ts'
import { newFolder } from '../../support/folders.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/own-file')

const SECRET = 'PAYCLI_API_KEY'
const OTHER_USER = 12_345

async function rejection(work: () => unknown): Promise<string> {
  try {
    await work()
  } catch (error) {
    if (error instanceof Error) return error.message
    throw error
  }
  throw new Error('expected an error, but it succeeded')
}

/** Everything the command line reads or writes, each given the file that it uses in a folder. */
const USES: readonly (readonly [name: string, file: string, use: (folder: string) => unknown])[] = [
  ['profiles are read', 'config.json', (home) => readProfiles({ PAYCLI_HOME: home })],
  [
    'profiles are written',
    'config.json',
    (home) => writeProfiles({ PAYCLI_HOME: home }, { profile: 'default', profiles: {} }),
  ],
  ['the locator file is read', 'daemon.json', (home) => findLocalDaemon({ PAYCLI_HOME: home })],
  ['an .env file is written', '.env', (folder) => writeEnvFile(join(folder, '.env'), { [SECRET]: 'k' })],
  ['the log of a detached service is opened', 'serve.log', (home) => openPrivateLog(join(home, 'serve.log'))],
]

for (const [name, file, use] of USES) {
  test(`${name}: a symbolic link is refused and its target stays as it is`, async () => {
    const folder = newFolder()
    const target = join(newFolder(), 'target')
    writeFileSync(target, '{}')
    symlinkSync(target, join(folder, file))
    assert.match(await rejection(() => use(folder)), `${file} is a symbolic link, which is not followed.`)
    assert.is(readFileSync(target, 'utf8'), '{}')
  })

  test(`${name}: a link to nothing makes no file`, async () => {
    const folder = newFolder()
    const elsewhere = newFolder()
    symlinkSync(join(elsewhere, 'made'), join(folder, file))
    assert.match(await rejection(() => use(folder)), 'is a symbolic link')
    assert.equal(readdirSync(elsewhere), [])
  })

  test(`${name}: the file of another user is refused`, async () => {
    const folder = newFolder()
    writeFileSync(join(folder, file), '{}')
    const own = process.getuid
    process.getuid = () => OTHER_USER
    try {
      assert.match(await rejection(() => use(folder)), `this process runs as user ${OTHER_USER}.`)
    } finally {
      if (own !== undefined) process.getuid = own
    }
  })

  test(`${name}: a folder in its place is refused`, async () => {
    const folder = newFolder()
    mkdirSync(join(folder, file))
    assert.match(await rejection(() => use(folder)), new RegExp(`${file} is a folder|EISDIR`))
  })
}

test('a file that others could read is theirs no longer once a secret is in it', async () => {
  const folder = newFolder()
  const file = join(folder, '.env')
  for (const write of [
    () => writeEnvFile(file, { [SECRET]: 'k' }),
    () => writeOwnFile(file, 'secret'),
    async () => (await openPrivateLog(file)).close(),
  ]) {
    writeFileSync(file, 'OTHER=1\n')
    chmodSync(file, 0o644)
    await write()
    assert.is(statSync(file).mode & 0o777, 0o600)
    assert.equal(readdirSync(folder), ['.env'])
  }
})

test('a temporary name that was planted is not written to', async () => {
  const home = newFolder()
  const target = join(newFolder(), 'target')
  writeFileSync(target, 'as it was')
  symlinkSync(target, join(home, `config.json.${process.pid}`))
  await writeProfiles({ PAYCLI_HOME: home }, { profile: 'default', profiles: {} })
  assert.is(readFileSync(target, 'utf8'), 'as it was')
  assert.equal(readProfiles({ PAYCLI_HOME: home }), { profile: 'default', profiles: {} })
})

test('a file that is not there has no text', () => {
  assert.is(readOwnFile(join(newFolder(), 'nothing')), null)
})

test('what is refused is an error of usage', () => {
  const file = join(newFolder(), 'link')
  symlinkSync('nothing', file)
  assert.throws(
    () => readOwnFile(file),
    (error: unknown) => error instanceof UsageError && error.code === 'file_invalid',
  )
})

test.run()
