import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorAnswer, type FakeServer, type Reaction, startFakeServer } from '../client/fake-server.ts'
import { paycli } from '../commands/paycli.ts'
import { newFolder } from '../support/daemon.ts'
import { ROOT } from '../support/root.ts'
import { assert, suite } from '../support/suite.ts'

/** What of a command the manifest says. */
interface Command {
  readonly id: string
  readonly args: Readonly<Record<string, { readonly required?: boolean }>>
  readonly flags: Readonly<Record<string, unknown>>
  readonly call?: { readonly method: string; readonly path: string }
  readonly strict?: boolean
}

const { commands } = JSON.parse(readFileSync(join(ROOT, 'oclif.manifest.json'), 'utf8'))
const all: Command[] = Object.values(commands)
/** What needs a service only to learn its secret. */
const LOCAL: ReadonlySet<string> = new Set(['webhooks:check', 'webhooks:sign', 'webhooks:verify'])
const asking = all.filter(({ id, flags }) => 'api-base' in flags && !LOCAL.has(id))
const others = all.filter(({ flags, strict }) => !('api-base' in flags) && strict !== false)

const scene = join(newFolder(), 'scene.json')

/** What a command needs besides ids to be a whole one; `missing` files are made below. */
const WORDS: Readonly<Record<string, string>> = {
  'checkout:create': '--customer cus_1 --currency eur --item Rent:1000 --interval month',
  'checkout:complete': 'cks_1 --card visa',
  'clock:advance': 'clock_1 1mo',
  'customers:create': '--email ada@example.com',
  'events:wait': 'customer.created --timeout 1s',
  'keys:create': '--name ci',
  'logs:tail': '',
  open: 'cks_1 --no-browser',
  'checkout:open': 'cks_1 --no-browser',
  'payments:open': 'py_sess_1 --no-browser',
  'payments:complete': 'py_sess_1 --card visa',
  'payments:create': '--customer cus_1 --currency eur --amount 1 --return-url https://example.com',
  'refunds:create': '--payment py_1',
  timeline: 'cus_1',
  trigger: 'payment_session.completed',
  wait: '--timeout 1s',
  'webhooks:endpoints:create': '--url http://127.0.0.1:9/hook',
  'fixtures:run': scene,
  'fixtures:record': `${join(newFolder(), 'out.json')} -- true`,
  'events:resend': 'evt_1',
  get: 'cus_1',
  post: 'cus_1',
  delete: 'cus_1',
}

/** Codes that differ from 3, for nobody there, and from 4, for a wrong key. */
const DOWN: Readonly<Record<string, number>> = { wait: 7 }
/** What is open to anybody who reaches the service. */
const KEYLESS: ReadonlySet<string> = new Set(['status', 'wait', 'fixtures:record'])

function wordsOf({ id, args }: Command): string[] {
  const given = WORDS[id]
  const needed = Object.values(args)
    .filter(({ required }) => required)
    .map(() => 'x_1')
  return [
    ...id.split(':'),
    ...(given === undefined ? needed : given.split(' ').filter((word) => word !== '')),
  ]
}

/** The words with flags of their own, which stand before what belongs to another program. */
function withFlags(command: Command, ...flags: string[]): string[] {
  const words = wordsOf(command)
  const end = words.indexOf('--')
  return end === -1 ? [...words, ...flags] : words.toSpliced(end, 0, ...flags)
}

const HOSTILE = 'Ada\u001b]0;x\u0007\u202e\u009b2J'
const OBJECT = { id: 'x_1', object: 'thing', name: HOSTILE, created: 1704067200 }
// biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there
const HARMFUL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/

let server: FakeServer
let reaction: (url: string) => Reaction

const env = { PAYCLI_HOME: newFolder(), FORCE_COLOR: '1', PAYCLI_API_KEY: '', PAYCLI_API_BASE: '' }

const test = suite('every command', undefined, 120_000)

test.before(async () => {
  server = await startFakeServer(({ url }) => reaction(url))
  writeFileSync(scene, JSON.stringify({ fixtures: [{ path: '/v1/customers', params: {} }] }))
})

test.after(() => server.stop())

test('there are many, and each is looked at', () => {
  assert.ok(asking.length > 60, `${asking.length} ask a service`)
  assert.ok(others.length > 5, `${others.length} do not`)
})

for (const command of asking) {
  const name = command.id.replaceAll(':', ' ')

  test(`${name} tells in one JSON document that nobody is there`, async () => {
    const args = withFlags(command, '--json', '--api-base', 'http://127.0.0.1:9', '--api-key', 'k')
    const { code, stdout, stderr } = await paycli(args, { env: { ...env, NO_COLOR: '1', FORCE_COLOR: '0' } })
    assert.is(code, DOWN[command.id] ?? 3, stderr)
    assert.is(stdout, '')
    if (DOWN[command.id] !== undefined) return
    const { error } = JSON.parse(stderr)
    assert.equal([error.type, error.code], ['connection_error', 'connection_refused'])
  })

  test(`${name} ends with 4 when the key is wrong`, async () => {
    if (KEYLESS.has(command.id)) return
    reaction = () => errorAnswer(401, { type: 'authentication_error', code: 'api_key_invalid' })
    const args = withFlags(command, '--api-base', server.url, '--api-key', 'wrong')
    const { code, stdout, stderr } = await paycli(args, { env })
    assert.equal([code, stdout], [4, ''], stderr)
    assert.match(stderr, 'PAYCLI_API_KEY')
  })

  test(`${name} refuses a flag it does not have, and says what was meant`, async () => {
    const { code, stdout, stderr } = await paycli(withFlags(command, '--api-bsae', 'x'), { env })
    assert.equal([code, stdout], [2, ''], stderr)
    assert.match(stderr, 'Did you mean --api-base?')
  })
}

for (const command of asking.filter(({ call }) => call !== undefined)) {
  test(`${command.id.replaceAll(':', ' ')} prints what it is answered, and nothing harmful in it`, async () => {
    const isList = command.id.endsWith(':list')
    const answer = isList ? { object: 'list', url: '/', data: [OBJECT], has_more: false } : OBJECT
    reaction = () => ({ body: answer })
    const at = ['--api-base', server.url, '--api-key', 'k']
    const { code, stdout, stderr } = await paycli(withFlags(command, ...at), { env })
    assert.equal([code, stderr], [0, ''])
    assert.equal(JSON.parse(stdout), answer)
    assert.not.match(stdout, HARMFUL)
    const path = isList ? 'data[].name' : 'name'
    const field = await paycli(withFlags(command, ...at, '--field', path), { env })
    assert.is(field.stdout, 'Ada\\u001b]0;x\\u0007\\u202e\\u009b2J\n')
    const wrong = await paycli(withFlags(command, ...at, '--field', 'nothing'), { env })
    assert.equal([wrong.code, wrong.stdout], [2, ''])
  })
}

for (const command of others) {
  test(`${command.id.replaceAll(':', ' ')} refuses a flag it does not have`, async () => {
    const { code, stdout, stderr } = await paycli(withFlags(command, '--no-such-flag'), { env })
    assert.equal([code, stdout], [2, ''], stderr)
    assert.match(stderr, 'There is no flag --no-such-flag.')
  })
}

test.run()
