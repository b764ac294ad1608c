import CheckoutCreate from '../../commands/checkout/create.ts'
import { errorResponse, type FakeServer, type Reaction, startFakeServer } from '../client/fake-server.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'
import type { Ended } from './paycli.ts'

const SESSION = {
  id: 'cks_1',
  object: 'checkout_session',
  status: 'open',
  url: 'http://127.0.0.1:4101/checkout/cks_1',
}

let server: FakeServer
let reaction: Reaction

function run(...args: string[]): Promise<Ended> {
  return runCommand(['checkout', ...args], { PAYCLI_API_BASE: server.url, PAYCLI_API_KEY: 'k' })
}

const test = suite('commands/checkout')

test.before(async () => {
  server = await startFakeServer(() => reaction)
})

test.before.each(() => {
  reaction = { body: SESSION }
  server.seen.length = 0
})

test.after(() => server.stop())

test('create sends the subscription data from its flags', async () => {
  const terms = ['--interval', 'month', '--item', 'Monthly rent:100000:20:rent', '--start-date', '2024-01-01']
  const { code, stdout } = await run(
    'create',
    '--customer',
    'cus_1',
    '--currency',
    'eur',
    ...terms,
    '--field',
    'url',
  )
  assert.is(code, 0)
  assert.is(stdout, `${SESSION.url}\n`)
  const [request] = server.seen
  assert.is(`${request?.method} ${request?.url}`, 'POST /v1/checkout_sessions')
  assert.equal(JSON.parse(request?.body ?? ''), {
    currency: 'eur',
    customer: 'cus_1',
    subscription_data: {
      interval: 'month',
      start_date: 1704067200,
      items: [{ description: 'Monthly rent', type: 'rent', price_data: { amount: 100000, tax_percent: 20 } }],
    },
  })
})

test('create sends the trial from its flags', async () => {
  const trial = ['--trial-days', '14', '--missing-payment-method', 'pause']
  const collection = ['--payment-method-collection', 'if_required']
  const terms = ['--interval', 'month', '--item', 'Pro:2900']
  const { code } = await run(
    ...['create', '--customer', 'cus_1', '--currency', 'eur'],
    ...terms,
    ...trial,
    ...collection,
  )
  assert.is(code, 0)
  assert.equal(JSON.parse(server.seen[0]?.body ?? ''), {
    currency: 'eur',
    customer: 'cus_1',
    payment_method_collection: 'if_required',
    subscription_data: {
      interval: 'month',
      trial_days: 14,
      trial_settings: { missing_payment_method: 'pause' },
      items: [{ description: 'Pro', price_data: { amount: 2900 } }],
    },
  })
})

test('create describes exactly the flags that it rejects a request without as required', async () => {
  const { stderr } = await run('create', '--json')
  const { message } = JSON.parse(stderr).error
  const required = Object.entries(CheckoutCreate.flags).filter(([, flag]) =>
    flag.description?.startsWith('(required)'),
  )
  assert.equal(
    required.map(([name]) => name).sort(),
    [...message.matchAll(/--([a-z-]+)/g)].map(([, name]) => name).sort(),
  )
})

test('create rejects a decimal amount before any request', async () => {
  const { code, stderr } = await run('create', '--item', 'Rent:12.50', '--json')
  assert.is(code, 2)
  assert.is(JSON.parse(stderr).error.param, 'item')
  assert.is(server.seen.length, 0)
})

test('complete pays a session with a test card', async () => {
  reaction = { body: { ...SESSION, status: 'complete', payment_status: 'paid' } }
  const { code } = await run('complete', 'cks_1', '--card', '4000002500003155', '--three-d-secure', 'reject')
  assert.is(code, 0)
  const [request] = server.seen
  assert.is(`${request?.method} ${request?.url}`, 'POST /v1/test_helpers/checkout_sessions/cks_1/complete')
  assert.equal(JSON.parse(request?.body ?? ''), { test_card: 'sca_setup', three_d_secure: 'reject' })
})

test('complete exits with 6 for a declined card and for a session in the wrong state', async () => {
  reaction = errorResponse(402, { type: 'card_error', code: 'card_declined' })
  const declined = await run('complete', 'cks_1', '--card', 'declined')
  assert.is(declined.code, 6)
  assert.match(declined.stderr, /^Error: Something about card_declined\.\nHint: {2}.*--card visa\.\n/)
  reaction = errorResponse(400, { type: 'invalid_request_error', code: 'checkout_session_unexpected_state' })
  const done = await run('expire', 'cks_1')
  assert.is(done.code, 6)
  assert.match(done.stderr, /paycli checkout retrieve/)
})

test('create --wait prints the ended session and sets the exit code by its status', async () => {
  const create = [
    'create',
    '--customer',
    'cus_1',
    '--currency',
    'eur',
    '--interval',
    'month',
    '--item',
    'Rent:1000',
  ]
  reaction = { body: { ...SESSION, status: 'complete', payment_status: 'paid' } }
  const paid = await run(...create, '--wait')
  assert.is(paid.code, 0)
  assert.is(JSON.parse(paid.stdout).status, 'complete')
  reaction = { body: { ...SESSION, status: 'expired' } }
  const expired = await run(...create, '--wait', '--json')
  assert.is(expired.code, 6)
  assert.is(JSON.parse(expired.stdout).status, 'expired')
  assert.match(expired.stderr, 'The session expired without a payment')
  const wrong = await run(...create, '--max-wait', '1m')
  assert.is(wrong.code, 2)
})

test('open --wait waits for the session to end and prints it', async () => {
  reaction = { body: { ...SESSION, status: 'complete', payment_status: 'paid' } }
  const { code, stdout } = await run('open', 'cks_1', '--no-browser', '--wait')
  assert.is(code, 0)
  assert.is(JSON.parse(stdout).status, 'complete')
})

test('open prints the page URL when no browser can be opened', async () => {
  if (process.platform !== 'linux') return
  const env = { PAYCLI_API_BASE: server.url, PAYCLI_API_KEY: 'k', BROWSER: '/nonexistent' }
  const { code, stdout, stderr } = await runCommand(['checkout', 'open', 'cks_1'], env)
  assert.equal([code, stdout], [0, `${SESSION.url}\n`])
  assert.is(stderr, `Cannot open a browser. Open this address: ${SESSION.url}\n`)
})

test('open --no-browser prints the page URL, also of an expired session', async () => {
  const { code, stdout, stderr } = await run('open', 'cks_1', '--no-browser')
  assert.is(code, 0)
  assert.is(stdout, `${SESSION.url}\n`)
  assert.is(stderr, '')
  reaction = { body: { ...SESSION, status: 'expired' } }
  const expired = await run('open', 'cks_1', '--no-browser', '--json')
  assert.equal(JSON.parse(expired.stdout).status, 'expired')
  assert.match(expired.stderr, /This session is expired/)
})

test.run()
