import { chmodSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { paycli } from '../../commands/paycli.ts'
import { startServing } from '../../commands/serving.ts'
import { newFolder } from '../../support/folders.ts'
import { runCommand } from '../../support/run-command.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/home')

/** Creates an environment with a home folder that even root cannot write to, and returns its replacement folder. */
function readOnlyHome() {
  const temporary = newFolder()
  const home = join(newFolder(), 'home')
  writeFileSync(home, '')
  const env = { HOME: home, PAYCLI_HOME: '', TMPDIR: temporary }
  return { env, home, folder: join(temporary, `paycli-${process.getuid?.() ?? 'user'}`) }
}

/** Creates a home folder with a paycli folder. */
function sealedHome() {
  const { env, folder } = readOnlyHome()
  const home = newFolder()
  const usual = join(home, '.local', 'share', 'paycli')
  mkdirSync(usual, { recursive: true })
  return { env: { ...env, HOME: home }, folder, usual }
}

/** Asserts that a command found no server of its home. Another server may listen on the default port; it rejects the request. */
function assertNoServer({ code, stderr }: { readonly code: number | null; readonly stderr: string }): void {
  assert.ok(code === 3 ? /No paycli server/.test(stderr) : code === 4 && /No API key/.test(stderr), stderr)
}

test('serve warns about a read-only home folder, and commands find the daemon', async () => {
  const { env, home, folder } = readOnlyHome()
  const serving = await startServing([], env)
  const created = await runCommand(
    ['customers', 'create', '--email', 'ada@example.com', '--field', 'email'],
    env,
  )
  serving.kill('SIGTERM')
  await serving.ended
  const stderr = await serving.waitForStderr(/is not writable/)
  assert.equal([created.code, created.stdout], [0, 'ada@example.com\n'], created.stderr)
  assert.match(
    stderr,
    `Warning: ${home}/.local/share/paycli is not writable, so files are stored in ${folder}`,
  )
  assert.match(stderr, 'Set PAYCLI_HOME to a writable folder.')
  assert.is(serving.location.db, join(folder, 'paycli.json'))
  assert.is(statSync(folder).mode & 0o777, 0o700)
})

for (const [kind, plant] of [
  ['a symbolic link', (folder: string) => symlinkSync(newFolder(), folder)],
  ['a dangling symbolic link', (folder: string) => symlinkSync('nothing', folder)],
  ['a file', (folder: string) => writeFileSync(folder, '')],
  [
    'a folder that others can write to',
    (folder: string) => {
      mkdirSync(folder)
      chmodSync(folder, 0o777)
    },
  ],
] as const) {
  test(`rejects ${kind} in place of the temporary folder`, async () => {
    const { env, folder } = readOnlyHome()
    plant(folder)
    for (const args of [
      ['customers', 'list'],
      ['serve', '--port', '0'],
    ]) {
      const { code, stderr } = await runCommand(args, env)
      assert.is(code, 2, stderr)
      assert.match(stderr, `${folder} cannot be used: it is not a private folder of this user`)
      assert.match(stderr, 'Set PAYCLI_HOME')
    }
  })
}

test('commands that only read create no folder', async () => {
  const { env, folder } = readOnlyHome()
  assertNoServer(await runCommand(['customers', 'list'], env))
  assert.not(existsSync(folder))
})

test('reads files in a read-only home folder', async () => {
  const { env, folder, usual } = sealedHome()
  const config = { profile: 'default', profiles: { default: { api_base: 'http://127.0.0.1:9' } } }
  writeFileSync(join(usual, 'config.json'), JSON.stringify(config), { mode: 0o600 })
  // Root can write to the folder nevertheless, and reads the same files.
  chmodSync(usual, 0o500)
  const read = await runCommand(['config', 'get', 'api_base'], env)
  assert.equal([read.code, read.stdout], [0, 'http://127.0.0.1:9\n'], read.stderr)
  const path = await runCommand(['config', 'path'], env)
  assert.is(path.stdout, `${usual}/config.json\n`)
  assert.not(existsSync(folder))
})

test('serve fails with a hint when no folder is writable', async () => {
  const { env } = readOnlyHome()
  const absent = { ...env, TMPDIR: join(env.TMPDIR, 'absent') }
  for (const args of [
    ['serve', '--port', '0'],
    ['config', 'set', 'api_base', 'http://127.0.0.1:9'],
  ]) {
    const { code, stderr } = await runCommand(args, absent)
    assert.is(code, 2, stderr)
    assert.match(stderr, 'cannot be used: it cannot be created')
    assert.match(stderr, 'Set PAYCLI_HOME to a writable folder.')
  }
  assertNoServer(await runCommand(['customers', 'list'], absent))
})

test('serve fails when the chosen folder is not writable', async () => {
  const { env, home } = readOnlyHome()
  for (const variable of ['PAYCLI_HOME', 'XDG_DATA_HOME']) {
    const chosen = { ...env, [variable]: `${home}/chosen` }
    const { code, stderr } = await runCommand(['serve', '--port', '0'], chosen)
    assert.not(code === 0)
    assert.match(stderr, /^Error: /)
    assert.not.match(stderr, 'Warning')
  }
})

// Creating a folder in /proc fails with ENOENT.
if (existsSync('/proc/self')) {
  test('commands run when the temporary folder is not writable', async () => {
    assertNoServer(await paycli(['customers', 'list'], { env: { TMPDIR: '/proc' } }))
  })
}

test.run()
