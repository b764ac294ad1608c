import { chmodSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { paycli } from '../commands/paycli.ts'
import { startServing } from '../commands/serving.ts'
import { newFolder } from '../support/folders.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('cli/home')

/** An environment whose home folder cannot be written to, by root neither, and the folder that takes its place. */
function readOnlyHome() {
  const temporary = newFolder()
  const home = join(newFolder(), 'home')
  writeFileSync(home, '')
  const env = { HOME: home, PAYCLI_HOME: '', TMPDIR: temporary }
  return { env, home, folder: join(temporary, `paycli-${process.getuid?.() ?? 'user'}`) }
}

test('with a read-only home folder the service starts with a warning, and commands find it', async () => {
  const { env, home, folder } = readOnlyHome()
  const serving = await startServing([], env)
  const created = await paycli(['customers', 'create', '--email', 'ada@example.com', '--field', 'email'], {
    env,
  })
  serving.kill('SIGTERM')
  await serving.ended
  const stderr = await serving.said(/cannot be written to/)
  assert.equal([created.code, created.stdout], [0, 'ada@example.com\n'], created.stderr)
  assert.match(
    stderr,
    `Warning: ${home}/.local/share/paycli cannot be written to, so files are kept in ${folder}`,
  )
  assert.match(stderr, 'Set PAYCLI_HOME to a folder of yours.')
  assert.is(serving.location.db, join(folder, 'paycli.json'))
  assert.is(statSync(folder).mode & 0o777, 0o700)
})

for (const [kind, plant] of [
  ['a symbolic link', (folder: string) => symlinkSync(newFolder(), folder)],
  ['a symbolic link to nothing', (folder: string) => symlinkSync('nothing', folder)],
  ['a file', (folder: string) => writeFileSync(folder, '')],
  [
    'a folder that others can write to',
    (folder: string) => {
      mkdirSync(folder)
      chmodSync(folder, 0o777)
    },
  ],
] as const) {
  test(`${kind} in place of the temporary folder is refused`, async () => {
    const { env, folder } = readOnlyHome()
    plant(folder)
    for (const args of [
      ['customers', 'list'],
      ['serve', '--port', '0'],
    ]) {
      const { code, stderr } = await paycli(args, { env })
      assert.is(code, 2, stderr)
      assert.match(stderr, `${folder} cannot be used: it is not a private folder of this user`)
      assert.match(stderr, 'Set PAYCLI_HOME')
    }
  })
}

test('a folder that was chosen is used or is an error', async () => {
  const { env, home } = readOnlyHome()
  for (const variable of ['PAYCLI_HOME', 'XDG_DATA_HOME']) {
    const chosen = { ...env, [variable]: `${home}/chosen` }
    const { code, stderr } = await paycli(['serve', '--port', '0'], { env: chosen })
    assert.not(code === 0)
    assert.match(stderr, /^Error: /)
    assert.not.match(stderr, 'Warning')
  }
})

// /proc exists, but the system reports that a folder to be made in it does not.
if (existsSync('/proc/self')) {
  test('commands run where the temporary folder takes no folders', async () => {
    const { code, stderr } = await paycli(['customers', 'list'], { env: { TMPDIR: '/proc' } })
    assert.is(code, 3, stderr)
    assert.match(stderr, 'No paycli daemon')
  })
}

test.run()
