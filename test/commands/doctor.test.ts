import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api } from '../../src/api/api.ts'
import { openLowdbDatabase } from '../../src/store/file/lowdb-database.ts'
import { openDaemon } from '../support/daemon.ts'
import { runCommand } from '../support/run-command.ts'
import { newCheckout } from '../support/samples.ts'
import { createSandbox } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('commands/doctor')
const folder = mkdtempSync(join(tmpdir(), 'paycli-doctor-'))
const file = join(folder, 'paycli.json')

async function open(path = file) {
  let suffixes = 0
  const database = await openLowdbDatabase({
    file: path,
    newSuffix: () => {
      suffixes += 1
      return `doctor-${suffixes}`
    },
    scheduling: { yieldToEventLoop: async () => {}, monotonicMs: () => performance.now() },
    holder: { pid: process.pid, url: 'http://127.0.0.1:4100' },
  })
  return database.defaultStore
}

test.before(async () => {
  const store = await open()
  const sandbox = createSandbox({ store })
  const { id } = await newCheckout(sandbox)
  await sandbox.call(api.checkoutSessions.complete, { id, test_card: 'visa' })
  await store.close()
})

test.after(() => rmSync(folder, { recursive: true, force: true }))

test('reports a consistent database with its record counts', async () => {
  const { code, stdout } = await runCommand(['doctor', '--db', file])
  const { problems, records, rules } = JSON.parse(stdout)
  assert.equal([code, problems], [0, []])
  assert.is(records.checkout_sessions, 1)
  assert.ok(rules > 20)
})

test('checks a database that a running daemon uses', async () => {
  const store = await open()
  try {
    const { code } = await runCommand(['doctor', '--db', file])
    assert.is(code, 0)
  } finally {
    await store.close()
  }
})

test('reports the file and position of damaged data, and salvages the readable records into a new file', async () => {
  const damaged = join(folder, 'damaged.json')
  const saved = join(folder, 'saved.json')
  const bytes = readFileSync(file)
  const at = bytes.indexOf('"status":"complete"')
  bytes[at] = 0x7b
  writeFileSync(damaged, bytes)
  const examined = await runCommand(['doctor', '--db', damaged])
  assert.is(examined.code, 8)
  assert.match(JSON.parse(examined.stdout).problems[0], `${damaged} is damaged at byte 0`)
  const salvaged = await runCommand(['doctor', '--db', damaged, '--salvage', saved])
  const { lost, suspect, saved: count } = JSON.parse(salvaged.stdout)
  assert.equal([salvaged.code, suspect.length], [8, count], 'all of them lie in the damaged block')
  assert.match(lost.join(), 'do not match their checksum')
  assert.match(lost.join(), /the line at byte \d+ cannot be read/)
  assert.ok(readFileSync(damaged).equals(bytes), 'the damaged file is left as it is')
  const again = await runCommand(['doctor', '--db', saved])
  assert.is(again.code, 8)
  assert.ok(JSON.parse(again.stdout).problems.length > 0, 'lost records are reported')
})

test('does not report files of other programs or newer versions as damaged', async () => {
  const other = join(folder, 'package.json')
  const newer = join(folder, 'newer.json')
  writeFileSync(other, '{"name":"shop"}')
  writeFileSync(newer, '{"meta":{"format":99,"version":"9.1.0"},\n"tables":{}}\n')
  for (const args of [[], ['--salvage', join(folder, 'none.json')]]) {
    const foreign = await runCommand(['doctor', '--db', other, ...args])
    assert.is(foreign.code, 2)
    assert.match(foreign.stderr, `${other} is not a paycli database`)
    const ahead = await runCommand(['doctor', '--db', newer, ...args])
    assert.is(ahead.code, 6)
    assert.match(ahead.stderr, 'was written by paycli 9.1.0 in format 99')
  }
  const served = await runCommand(['serve', '--port', '0', '--db', newer], {
    PAYCLI_HOME: mkdtempSync(join(folder, 'home-')),
  })
  assert.is(served.code, 6)
  assert.not.match(served.stderr, 'bug')
})

test('never overwrites an existing file with salvaged data', async () => {
  const { code, stderr } = await runCommand(['doctor', '--db', file, '--salvage', file])
  assert.is(code, 2)
  assert.match(stderr, 'already exists')
})

test('reports a missing database', async () => {
  const { code, stderr } = await runCommand(['doctor', '--db', join(folder, 'none.json')])
  assert.is(code, 2)
  assert.match(stderr, 'There is no database')
})

test('without --db checks the database of the running server, and fails for a database in memory', async () => {
  const home = mkdtempSync(join(folder, 'home-'))
  const env = { PAYCLI_HOME: home, PAYCLI_DB: join(folder, 'of-the-environment.json') }
  const other = join(home, 'other.json')
  const kept = await openDaemon({ home, db: other })
  try {
    const { code, stdout } = await runCommand(['doctor'], env)
    assert.equal([code, JSON.parse(stdout).database], [0, other])
  } finally {
    await kept.stop()
  }
  const memory = await openDaemon({ home, db: null })
  try {
    const { code, stderr } = await runCommand(['doctor'], env)
    assert.is(code, 2)
    assert.match(stderr, /^Error: The running server stores its data in memory and has no database\.\nHint: /)
  } finally {
    await memory.stop()
  }
})

test.run()
