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
import { readProfiles, writeProfiles } from '../../../src/cli/service/profiles.ts'
import { findLocalDaemon } from '../../../src/cli/service/service-discovery.ts'
import { readOptionalOwnFile, writePrivateFileOrUsageError } from '../../../src/cli/service/user-file.ts'
import { openPrivateLogFile } from '../../../src/store/disk/private-file.ts'
import { newFolder } from '../../support/folders.ts'
import { assert, suite } from '../../support/suite.ts'
import { usageErrorFrom } from '../../support/usage-errors.ts'

const test = suite('cli/user-file')

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

/** Columns: name of the use, user file, function that uses the file in a folder. */
const USES: readonly (readonly [name: string, file: string, use: (folder: string) => unknown])[] = [
  ['reading profiles', 'config.json', (home) => readProfiles({ PAYCLI_HOME: home })],
  [
    'writing profiles',
    'config.json',
    (home) => writeProfiles({ PAYCLI_HOME: home }, { profile: 'default', profiles: {} }),
  ],
  ['reading the locator file', 'daemon.json', (home) => findLocalDaemon({ PAYCLI_HOME: home })],
  ['writing an .env file', '.env', (folder) => writeEnvFile(join(folder, '.env'), { [SECRET]: 'k' })],
  [
    'opening the log of a detached daemon',
    'serve.log',
    (home) => openPrivateLogFile(join(home, 'serve.log')),
  ],
]

for (const [name, file, use] of USES) {
  test(`${name}: rejects a symbolic link and does not change its target`, async () => {
    const folder = newFolder()
    const target = join(newFolder(), 'target')
    writeFileSync(target, '{}')
    symlinkSync(target, join(folder, file))
    assert.match(
      await rejection(() => use(folder)),
      `${file} is a symbolic link, which paycli does not follow.`,
    )
    assert.is(readFileSync(target, 'utf8'), '{}')
  })

  test(`${name}: rejects a dangling link and creates no file`, async () => {
    const folder = newFolder()
    const elsewhere = newFolder()
    symlinkSync(join(elsewhere, 'made'), join(folder, file))
    assert.match(await rejection(() => use(folder)), 'is a symbolic link')
    assert.equal(readdirSync(elsewhere), [])
  })

  test(`${name}: rejects the file of another user`, async () => {
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

  test(`${name}: rejects a folder`, async () => {
    const folder = newFolder()
    mkdirSync(join(folder, file))
    assert.match(await rejection(() => use(folder)), new RegExp(`${file} is a folder|EISDIR`))
  })
}

test('makes an existing file private when a secret is written to it', async () => {
  const folder = newFolder()
  const file = join(folder, '.env')
  for (const write of [
    () => writeEnvFile(file, { [SECRET]: 'k' }),
    () => writePrivateFileOrUsageError(file, 'secret'),
    async () => (await openPrivateLogFile(file)).close(),
  ]) {
    writeFileSync(file, 'OTHER=1\n')
    chmodSync(file, 0o644)
    await write()
    assert.is(statSync(file).mode & 0o777, 0o600)
    assert.equal(readdirSync(folder), ['.env'])
  }
})

test('throws a UsageError that names the file when its folder is missing or is itself a file', async () => {
  const folder = newFolder()
  writeFileSync(join(folder, 'file'), '')
  for (const file of [join(folder, 'none', 'report.xml'), join(folder, 'file', 'report.xml')]) {
    const error = await writePrivateFileOrUsageError(file, 'text').catch((reason: unknown) => reason)
    assert.instance(error, UsageError)
    assert.ok(String(error).includes(`'${file}' cannot be written: `), String(error))
  }
})

test('does not follow a symbolic link at the temporary file name', async () => {
  const home = newFolder()
  const target = join(newFolder(), 'target')
  writeFileSync(target, 'as it was')
  symlinkSync(target, join(home, `config.json.${process.pid}`))
  await writeProfiles({ PAYCLI_HOME: home }, { profile: 'default', profiles: {} })
  assert.is(readFileSync(target, 'utf8'), 'as it was')
  assert.equal(readProfiles({ PAYCLI_HOME: home }), { profile: 'default', profiles: {} })
})

test('returns null for a missing file', () => {
  assert.is(readOptionalOwnFile(join(newFolder(), 'nothing')), null)
})

test('throws a UsageError with the code file_invalid for a symbolic link', () => {
  const file = join(newFolder(), 'link')
  symlinkSync('nothing', file)
  assert.is(usageErrorFrom(() => readOptionalOwnFile(file)).code, 'file_invalid')
})

test.run()
