import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'
import { openFakeApi } from './fake-api.ts'

const test = suite('commands/open, payments open and checkout open')

const URL = 'http://127.0.0.1:4101/p'
const SESSION = { id: 'py_sess_1', status: 'open', url: URL }
const REDIRECT = { redirect_to_url: { url: 'http://127.0.0.1:4101/3ds/py_1' } }

/** The responses by path; every other path returns the default. */
let bodies: Readonly<Record<string, object>>

const api = openFakeApi(test, ({ url }) => ({ body: bodies[url] ?? bodies['*'] }))

/** Runs `open` without a browser. */
const open = (...words: string[]) => api.run(...words, '--no-browser')

const COMMANDS: readonly (readonly string[])[] = [
  ['payments', 'open', 'py_sess_1'],
  ['checkout', 'open', 'cks_1'],
  ['open', 'py_sess_1'],
]

test('exits with 2 for a response without a page URL', async () => {
  for (const [body, error] of [
    [{ id: 'py_sess_1', status: 'open' }, "Error: The response for 'py_sess_1' has no url"],
    [{ id: 'py_sess_1', url: null }, "Error: The response for 'py_sess_1' has no url"],
    [{}, 'Error: The response has no url'],
  ] as const) {
    bodies = { '*': body }
    const { code, stdout, stderr } = await open('open', 'py_sess_1')
    assert.equal([code, stdout], [2, ''], stderr)
    assert.ok(stderr.startsWith(error), stderr)
    assert.match(stderr, /\nHint: {2}\S/)
  }
})

test('prints the address of the page of a session, and the session with --json', async () => {
  bodies = { '*': SESSION }
  for (const words of COMMANDS) {
    const { code, stdout, stderr } = await open(...words)
    assert.equal([code, stdout, stderr], [0, `${URL}\n`, ''])
    assert.equal(JSON.parse((await open(...words, '--json')).stdout), SESSION)
  }
})

const PAYMENT = { id: 'py_1', object: 'payment', invoice: null }

/** Columns: responses, id to open, output of `open --json`. */
const PAGES: readonly (readonly [typeof bodies, id: string, printed: { readonly url: string }])[] = [
  [{ '/v1/invoices/in_1': { id: 'in_1', hosted_invoice_url: URL } }, 'in_1', { url: URL }],
  [
    {
      '/v1/payments/py_1': { ...PAYMENT, payment_session: 'py_sess_1' },
      '/v1/payment_sessions/py_sess_1': SESSION,
    },
    'py_1',
    SESSION,
  ],
  [{ '/v1/payments/py_1': { ...PAYMENT, next_action: REDIRECT } }, 'py_1', REDIRECT.redirect_to_url],
]

for (const [responses, id, printed] of PAGES) {
  test(`prints the page of ${id} with the responses of ${Object.keys(responses).join(' and ')}`, async () => {
    bodies = responses
    assert.is((await open('open', id)).stdout, `${printed.url}\n`)
    const { code, stdout, stderr } = await open('open', id, '--json')
    assert.equal([code, JSON.parse(stdout), stderr], [0, printed, ''])
  })
}

test('exits with 2 for an object without a page', async () => {
  for (const body of [{ id: 'cus_1' }, { ...PAYMENT, next_action: null }]) {
    bodies = { '*': body }
    const { code, stderr } = await open('open', body.id)
    assert.is(code, 2)
    assert.match(stderr, `'${body.id}' has no page.`)
  }
})

test('prints the address of the API reference for docs and without an argument', async () => {
  bodies = { '*': { status: 'ok', pid: 1, version: '0.1.0' } }
  for (const words of [['open', 'docs'], ['open'], ['payments', 'open', 'docs']]) {
    const { code, stdout } = await open(...words)
    assert.equal([code, stdout], [0, `${api.url()}/docs\n`])
  }
})

test('checkout open exits with 2 without an id', async () => {
  const { code, stdout, stderr } = await open('checkout', 'open', '--json')
  assert.equal([code, stdout, JSON.parse(stderr).error.code], [2, '', 'argument_missing'], stderr)
})

test('--wait prints an ended session immediately, with a note that its page only shows the status', async () => {
  bodies = { '*': { ...SESSION, status: 'complete' } }
  const { code, stdout, stderr } = await open('open', 'py_sess_1', '--wait')
  assert.equal([code, JSON.parse(stdout).status], [0, 'complete'])
  assert.match(stderr, /This session is complete/)
})

test('--wait exits with 2 for an object that is not a session', async () => {
  bodies = { '*': { id: 'in_1', status: 'open', hosted_invoice_url: URL } }
  const { code, stdout, stderr } = await open('open', 'in_1', '--wait')
  assert.equal([code, stdout], [2, ''])
  assert.match(stderr, /--wait has no effect: only a session can be waited for/)
})

const CREATE = 'payment-sessions create --customer cus_1 --amount 1000 --currency eur --open'

// Only Linux selects the browser by an environment variable.
for (const [line, isPrinted] of [
  ['open py_sess_1', true],
  [CREATE, true],
  [`${CREATE} --field id`, false],
] as const) {
  test(`${line} prints the address once when no browser can be opened`, async () => {
    if (process.platform !== 'linux') return
    bodies = { '*': SESSION }
    const env = { PAYCLI_API_BASE: api.url(), PAYCLI_API_KEY: 'k', BROWSER: '/nonexistent' }
    const { code, stdout, stderr } = await runCommand(line.split(' '), env)
    assert.equal([code, stdout.includes(URL)], [0, isPrinted])
    const address = isPrinted ? 'Open the address yourself.' : `Open this address: ${URL}`
    assert.is(stderr, `Cannot open a browser. ${address}\n`)
  })
}

test('payment-sessions create --open exits with 2 for a response without a page URL', async () => {
  bodies = { '*': { id: 'py_sess_1', status: 'open' } }
  const terms = ['--customer', 'cus_1', '--amount', '1000', '--currency', 'eur']
  const args = ['payment-sessions', 'create', ...terms, '--return-url', 'https://example.com/', '--open']
  const { code, stderr } = await api.run(...args)
  assert.is(code, 2)
  assert.match(stderr, "Error: The response for 'py_sess_1' has no url, so no page can be opened.")
})

test.run()
