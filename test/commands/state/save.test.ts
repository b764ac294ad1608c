import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { newFolder } from '../../support/folders.ts'
import { assert, suite } from '../../support/suite.ts'
import { type Ended, paycli } from '../paycli.ts'
import { type Serving, startServing } from '../serving.ts'

const test = suite('commands/state')

let home: string

function run(...args: string[]): Promise<Ended> {
  return paycli(args, { env: { PAYCLI_HOME: home } })
}

function serve(): Promise<Serving> {
  return startServing(['--log-format', 'silent'], { PAYCLI_HOME: home })
}

async function stop(serving: Serving): Promise<void> {
  serving.kill('SIGTERM')
  await serving.ended
}

function emails(): Promise<Ended> {
  return run('customers', 'list', '--field', 'data[].email')
}

test.before.each(() => {
  home = newFolder()
})

test('what was saved beside a running service comes back, and what changed since is told', async () => {
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
  assert.match(busy.stderr, /is in use, and nothing was restored.*paycli stop.*paycli serve/)
  assert.is((await emails()).stdout, 'bob@example.com\nada@example.com\n')
  await stop(first)
  assert.is((await run('state', 'restore', 'early')).code, 0)
  const second = await serve()
  assert.is((await emails()).stdout, 'ada@example.com\n')
  await stop(second)
  assert.is((await run('doctor')).code, 0)
  assert.is((await run('state', 'list', '--field', '[].name')).stdout, 'early\n')
})

test('a state is replaced only when that is asked for', async () => {
  await stop(await serve())
  assert.is((await run('state', 'save', 'one')).code, 0)
  const again = await run('state', 'save', 'one')
  assert.is(again.code, 2)
  assert.match(again.stderr, "There is a state 'one' already.")
  assert.is((await run('state', 'save', 'one', '--force')).code, 0)
})

test('a state goes back to the database it was saved from, and no other is touched', async () => {
  const [usual, other] = [join(home, 'paycli.json'), join(home, 'payments.json')]
  await stop(await serve())
  const untouched = readFileSync(usual)
  const serving = await startServing(['--db', other], { PAYCLI_HOME: home })
  await run('customers', 'create', '--email', 'ada@example.com')
  const saved = await run('state', 'save', 'before')
  assert.is(JSON.parse(saved.stdout).database, other)
  assert.match(saved.stderr, 'Bring it back: paycli state restore before\n')
  await run('customers', 'create', '--email', 'bob@example.com')
  await stop(serving)
  const different = await run('state', 'diff', 'before', '--field', '[].change')
  assert.is(different.stdout, 'added\nadded\n')
  const restored = await run('state', 'restore', 'before')
  assert.is(restored.code, 0, restored.stderr)
  assert.is(JSON.parse(restored.stdout).database, other)
  assert.match(restored.stderr, `${other} is as it was when 'before' was saved.`)
  assert.ok(readFileSync(usual).equals(untouched), 'the usual database is as it was')
  assert.is((await run('state', 'diff', 'before')).stdout, '[]\n')
  const again = await startServing(['--db', other], { PAYCLI_HOME: home })
  assert.is((await emails()).stdout, 'ada@example.com\n')
  await stop(again)
  assert.is((await run('state', 'list', '--field', '[].database')).stdout, `${other}\n`)
})

test('a state goes elsewhere only where --db says so', async () => {
  await stop(await serve())
  await run('state', 'save', 'one')
  const elsewhere = join(home, 'elsewhere.json')
  const { code, stderr } = await run('state', 'restore', 'one', '--db', elsewhere)
  assert.is(code, 0)
  assert.match(stderr, `${elsewhere} is as it was`)
  assert.ok(existsSync(elsewhere))
})

test('a state that does not say which database it is of goes to none by itself', async () => {
  await stop(await serve())
  await run('state', 'save', 'one')
  // A database that was copied there is as a state of an older paycli.
  copyFileSync(join(home, 'paycli.json'), join(home, 'states', 'old.json'))
  for (const command of ['restore', 'diff']) {
    const { code, stdout, stderr } = await run('state', command, 'old')
    assert.equal([code, stdout], [2, ''])
    assert.match(stderr, /'old' does not say which database.*\nHint: .*--db <file\|url>/)
  }
  assert.is((await run('state', 'restore', 'old', '--db', join(home, 'paycli.json'))).code, 0)
})

test('a state that cannot be replaced is kept', async () => {
  await stop(await serve())
  await run('state', 'save', 'one')
  assert.is.not((await run('state', 'save', 'one', '--force', '--db', join(home, 'none.json'))).code, 0)
  assert.is((await run('state', 'list', '--field', '[].name')).stdout, 'one\n')
})

const WRONG: readonly (readonly [args: string[], said: RegExp])[] = [
  [['save', '../x'], /'\.\.\/x' is no name for a state/],
  [['restore', 'nothing'], /There is no state 'nothing'\.\nHint: .*paycli state save <name>/],
  [['diff', 'nothing'], /There is no state 'nothing'\./],
  [['save', 'x', '--db', join('no', 'such.json')], /There is no database at .*such\.json/],
]

for (const [args, said] of WRONG) {
  test(`state ${args.join(' ')} is refused`, async () => {
    const { code, stdout, stderr } = await run('state', ...args)
    assert.match(stderr, said)
    assert.is(stdout, '')
    assert.is.not(code, 0)
  })
}

test('a state that is not there is told with those that are, and the one that was probably meant', async () => {
  await stop(await serve())
  await run('state', 'save', 'before')
  const misspelt = await run('state', 'restore', 'befor')
  assert.equal([misspelt.code, misspelt.stdout], [2, ''])
  assert.match(misspelt.stderr, "There is no state 'befor'.\nHint:  Did you mean 'before'?")
  assert.match((await run('state', 'diff', 'nope')).stderr, 'There are: before')
})

test('what is only in memory has no states', async () => {
  const serving = await startServing(['--memory'], { PAYCLI_HOME: home })
  const { code, stderr } = await run('state', 'save', 'x')
  await stop(serving)
  assert.is(code, 2)
  assert.match(stderr, 'keeps everything in memory')
})

test.run()
