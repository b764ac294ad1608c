import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDaemon, type TestDaemon } from '../../support/daemon.ts'
import { newFolder } from '../../support/folders.ts'
import { runCommand } from '../../support/run-command.ts'
import { assert, suite } from '../../support/suite.ts'
import type { Ended } from '../paycli.ts'

const test = suite('commands/state')

let home: string

function run(...args: string[]): Promise<Ended> {
  return runCommand(args, { PAYCLI_HOME: home })
}

function serve(db: string | null = join(home, 'paycli.json')): Promise<TestDaemon> {
  return openDaemon({ home, db })
}

function emails(): Promise<Ended> {
  return run('customers', 'list', '--field', 'data[].email')
}

test.before.each(() => {
  home = newFolder()
})

test('saves the data of a running server, prints later changes to the data and restores the saved data', async () => {
  const first = await serve()
  await run('customers', 'create', '--email', 'ada@example.com')
  const saved = await run('state', 'save', 'early')
  assert.is(saved.code, 0, saved.stderr)
  const { name, records } = JSON.parse(saved.stdout)
  assert.equal([name, records > 0], ['early', true])
  assert.equal(JSON.parse((await run('state', 'diff', 'early')).stdout), [])
  const id = (await run('customers', 'create', '--email', 'bob@example.com', '--field', 'id')).stdout.trim()
  const different = JSON.parse((await run('state', 'diff', 'early')).stdout)
  assert.equal(
    different.map(({ change, object }: Record<string, string>) => `${change} ${object}`),
    ['added customer', 'added event'],
  )
  assert.is(different[0].id, id)
  assert.equal(different[0].changes, [])
  const [, ada = ''] = (await run('customers', 'list', '--field', 'data[].id')).stdout.split('\n')
  await run('customers', 'update', ada, '--name', 'Ada')
  const then = JSON.parse((await run('state', 'diff', 'early')).stdout)
  assert.equal(
    then.find(({ change }: Record<string, string>) => change === 'changed'),
    { change: 'changed', object: 'customer', id: ada, changes: [{ field: 'name', from: null, to: 'Ada' }] },
  )
  const busy = await run('state', 'restore', 'early')
  assert.is(busy.code, 6)
  assert.match(busy.stderr, /is in use by a running server.*paycli stop.*paycli serve/)
  assert.is((await emails()).stdout, 'bob@example.com\nada@example.com\n')
  await first.stop()
  assert.is((await run('state', 'restore', 'early')).code, 0)
  const second = await serve()
  assert.is((await emails()).stdout, 'ada@example.com\n')
  await second.stop()
  assert.is((await run('doctor')).code, 0)
  assert.is((await run('state', 'list', '--field', '[].name')).stdout, 'early\n')
})

test('replaces an existing state only with --force', async () => {
  await (await serve()).stop()
  assert.is((await run('state', 'save', 'one')).code, 0)
  const again = await run('state', 'save', 'one')
  assert.is(again.code, 2)
  assert.match(again.stderr, "State 'one' already exists.")
  assert.is((await run('state', 'save', 'one', '--force')).code, 0)
})

test('restores a state to the database from which it was saved', async () => {
  const [usual, other] = [join(home, 'paycli.json'), join(home, 'payments.json')]
  await (await serve()).stop()
  const untouched = readFileSync(usual)
  const serving = await serve(other)
  await run('customers', 'create', '--email', 'ada@example.com')
  const saved = await run('state', 'save', 'before')
  assert.is(JSON.parse(saved.stdout).database, other)
  assert.match(saved.stderr, 'Restore it: paycli state restore before\n')
  await run('customers', 'create', '--email', 'bob@example.com')
  await serving.stop()
  const different = await run('state', 'diff', 'before', '--field', '[].change')
  assert.is(different.stdout, 'added\nadded\n')
  const restored = await run('state', 'restore', 'before')
  assert.is(restored.code, 0, restored.stderr)
  assert.is(JSON.parse(restored.stdout).database, other)
  assert.match(restored.stderr, `Restored state 'before' to ${other}.`)
  assert.ok(readFileSync(usual).equals(untouched), 'the usual database is as it was')
  assert.is((await run('state', 'diff', 'before')).stdout, '[]\n')
  const again = await serve(other)
  assert.is((await emails()).stdout, 'ada@example.com\n')
  await again.stop()
  assert.is((await run('state', 'list', '--field', '[].database')).stdout, `${other}\n`)
})

test('restores a state to another database with --db', async () => {
  await (await serve()).stop()
  await run('state', 'save', 'one')
  const elsewhere = join(home, 'elsewhere.json')
  const { code, stderr } = await run('state', 'restore', 'one', '--db', elsewhere)
  assert.is(code, 0)
  assert.match(stderr, `Restored state 'one' to ${elsewhere}`)
  assert.ok(existsSync(elsewhere))
})

test('requires --db for a saved state with an unknown database', async () => {
  await (await serve()).stop()
  await run('state', 'save', 'one')
  // A copied database looks like a state of an older version.
  copyFileSync(join(home, 'paycli.json'), join(home, 'states', 'old.json'))
  for (const command of ['restore', 'diff']) {
    const { code, stdout, stderr } = await run('state', command, 'old')
    assert.equal([code, stdout], [2, ''])
    assert.match(stderr, /The database of state 'old' is unknown.*\nHint: .*--db <file\|url>/)
  }
  assert.is((await run('state', 'restore', 'old', '--db', join(home, 'paycli.json'))).code, 0)
})

test('keeps the saved state when its replacement fails', async () => {
  await (await serve()).stop()
  await run('state', 'save', 'one')
  assert.is.not((await run('state', 'save', 'one', '--force', '--db', join(home, 'none.json'))).code, 0)
  assert.is((await run('state', 'list', '--field', '[].name')).stdout, 'one\n')
})

const INVALID: readonly (readonly [args: string[], expected: RegExp])[] = [
  [['save', '../x'], /Invalid state name '\.\.\/x'/],
  [['restore', 'nothing'], /State 'nothing' does not exist\.\nHint: .*paycli state save <name>/],
  [['diff', 'nothing'], /State 'nothing' does not exist\./],
  [['save', 'x', '--db', join('no', 'such.json')], /There is no database at .*such\.json/],
]

for (const [args, expected] of INVALID) {
  test(`state ${args.join(' ')} is a usage error`, async () => {
    const { code, stdout, stderr } = await run('state', ...args)
    assert.match(stderr, expected)
    assert.is(stdout, '')
    assert.is.not(code, 0)
  })
}

test('lists the saved states and suggests the nearest name for an unknown state', async () => {
  await (await serve()).stop()
  await run('state', 'save', 'before')
  const misspelled = await run('state', 'restore', 'befor')
  assert.equal([misspelled.code, misspelled.stdout], [2, ''])
  assert.match(misspelled.stderr, "State 'befor' does not exist.\nHint:  Did you mean 'before'?")
  assert.match((await run('state', 'diff', 'nope')).stderr, 'Saved states: before')
})

test('rejects an in-memory database', async () => {
  const serving = await serve(null)
  const { code, stderr } = await run('state', 'save', 'x')
  await serving.stop()
  assert.is(code, 2)
  assert.match(stderr, 'stores its data in memory')
})

test.run()
