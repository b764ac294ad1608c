import { openDaemon, type TestDaemon } from '../support/daemon.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('commands/faults')

let daemon: TestDaemon

test.before(async () => {
  daemon = await openDaemon()
})

test.after.each(async () => {
  await run('faults clear')
})

test.after(() => daemon?.stop())

const envOf = ({ location }: TestDaemon, key = location.api_key) => ({
  PAYCLI_API_BASE: location.api_url,
  PAYCLI_API_KEY: key,
})

const run = (args: string, columns?: number) =>
  runCommand(args.split(' '), envOf(daemon), columns === undefined ? {} : { terminal: { columns } })

const NO_MATCH = { operation: null, event_type: null, webhook_endpoint: null, customer: null }

test('faults add accepts the command of the faults guide', async () => {
  const words = ['faults', 'add', 'duplicate', '--events', 'payment.*', '--times', '2']
  const { code, stdout, stderr } = await runCommand(words, envOf(daemon))
  assert.is(code, 0, stderr)
  const { type, match, copies, order, times } = JSON.parse(stdout)
  assert.equal([type, copies, order, times], ['duplicate', 2, 'sequential', 2])
  assert.equal(match, { ...NO_MATCH, event_type: 'payment.*' })
})

/** Command lines and the parameters of their requests. */
const REQUESTS: readonly (readonly [words: string, params: object])[] = [
  ['swap', { type: 'swap' }],
  ['delay_request --delay 500ms', { type: 'delay_request', delay_ms: 500 }],
  ['delay_delivery --delay 5s', { type: 'delay_delivery', delay_ms: 5000 }],
  ['processing --delay 1m', { type: 'processing', delay_ms: 60_000 }],
  [
    'error --status 503 --retry-after 2 --operation customers.*',
    { type: 'error', match: { operation: 'customers.*' }, http_status: 503, retry_after: 2 },
  ],
  ['slow_response --speed 50', { type: 'slow_response', bytes_per_second: 50 }],
  ['duplicate --copies 3 --concurrent', { type: 'duplicate', order: 'concurrent', copies: 3 }],
  [
    'hold --endpoint we_1 --customer cus_1 --expires-at 2099-01-01',
    {
      type: 'hold',
      match: { webhook_endpoint: 'we_1', customer: 'cus_1' },
      expires_at: Date.UTC(2099, 0, 1) / 1000,
    },
  ],
  [
    'decline --decline-code lost_card --skip 1 --times 2 --probability 50 --seed 7',
    { type: 'decline', decline_code: 'lost_card', skip: 1, times: 2, probability: 50, seed: '7' },
  ],
  ['-d type=early -d match[event_type]=payment.*', { type: 'early', match: { event_type: 'payment.*' } }],
]

for (const [words, params] of REQUESTS) {
  test(`'faults add ${words}' sends its parameters`, async () => {
    const { code, stdout, stderr } = await run(`faults add ${words} --dry-run --json`)
    assert.is(code, 0, stderr)
    const { method, url, body } = JSON.parse(stdout)
    assert.equal([method, new URL(url).pathname], ['POST', '/v1/test_helpers/faults'])
    assert.equal(body, params)
  })
}

/** Columns: command line, exit code, pattern of the error. */
const ERRORS: readonly (readonly [words: string, code: number, text: RegExp])[] = [
  ['', 2, /The type of the fault is missing\.[\s\S]*On deliveries: duplicate, /],
  ['duplicat', 2, /^Error: Unknown type of fault 'duplicat'\.\nHint: {2}Did you mean duplicate\?\n/],
  ['delay_request --delay 5', 2, /Invalid --delay '5': expected a duration\.[\s\S]*500ms or 5s/],
  ['delay_request --delay 0ms', 2, /Invalid --delay '0ms'/],
  ['slow_response --speed fast', 2, /Invalid --speed 'fast': expected an integer/],
  ['error --status 404', 2, /404/],
  ['swap --copies 2', 5, /swap has no options/],
  ['error --operation orders.*', 5, /Unknown operation 'orders\.\*'/],
  ['hold --endpoint we_none', 5, /No such webhook endpoint: 'we_none'/],
]

for (const [words, code, text] of ERRORS) {
  test(`'faults add ${words}' exits with ${code}`, async () => {
    const ended = await run(`faults add ${words}`.trim())
    assert.equal([ended.code, ended.stdout], [code, ''], ended.stderr)
    assert.match(ended.stderr, text)
  })
}

test('lists, retrieves, deletes and clears faults', async () => {
  const id = (await run('faults add swap --field id')).stdout.trim()
  await run('faults add error')
  assert.equal((await run('faults ls --field data[].type')).stdout, 'error\nswap\n')
  assert.is((await run(`faults get ${id} --field type`)).stdout, 'swap\n')
  assert.equal(JSON.parse((await run(`faults rm ${id}`)).stdout), { id, object: 'fault', deleted: true })
  assert.is((await run(`faults retrieve ${id}`)).code, 5)
  assert.is((await run('faults clear --field deleted')).stdout, '1\n')
  assert.equal(JSON.parse((await run('faults list')).stdout).data, [])
})

test('on a terminal, faults add shows how to list and delete the fault, and faults list fits 80 columns', async () => {
  const added = await run('faults add drop_response --operation payment_sessions.create --times 1', 80)
  const [, id = ''] =
    /paycli faults list counts [\s\S]*\n {2}paycli faults delete (flt_\w+)/.exec(added.stderr) ?? []
  assert.ok(id, added.stderr)
  assert.match(added.stdout, 'drop_response')
  const { stdout } = await run('faults list', 80)
  const lines = stdout.trimEnd().split('\n')
  assert.ok(
    lines.every((line) => line.length <= 80),
    stdout,
  )
  assert.match(lines[0] ?? '', /^id +type +operation +applied/)
  assert.match(lines[1] ?? '', /drop_response +payment_sessions\.create +0/)
  assert.is((await run(`faults delete ${id}`)).code, 0)
})

test('on an exposed server, the error shows the command that creates a key with faults:write', async () => {
  const exposed = await openDaemon({ host: '0.0.0.0' })
  try {
    const add = ['faults', 'add', 'swap']
    const refused = await runCommand(add, envOf(exposed))
    assert.is(refused.code, 4)
    const [, words = ''] = /paycli (keys create --name \w+ --scopes faults:write)/.exec(refused.stderr) ?? []
    const created = await runCommand([...words.split(' '), '--field', 'secret'], envOf(exposed))
    const added = await runCommand(add, envOf(exposed, created.stdout.trim()))
    assert.is(added.code, 0, added.stderr)
  } finally {
    await exposed.stop()
  }
})

test.run()
