import { type FakeServer, type Reaction, startFakeServer } from '../client/fake-server.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'
import type { Ended } from './paycli.ts'

const APPROVAL = 'http://127.0.0.1:4101/3ds/py_1'

let server: FakeServer
let reaction: Reaction

function run(...args: string[]): Promise<Ended> {
  return runCommand(['invoices', ...args], { PAYCLI_API_BASE: server.url, PAYCLI_API_KEY: 'k' })
}

const test = suite('commands/invoices')

test.before(async () => {
  server = await startFakeServer(() => reaction)
})

test.before.each(() => {
  reaction = { body: { id: 'in_1', object: 'invoice', status: 'paid' } }
  server.seen.length = 0
})

test.after(() => server.stop())

const CALLS: readonly (readonly [args: string, request: string])[] = [
  ['finalize in_1', 'POST /v1/invoices/in_1/finalize {}'],
  ['void in_1', 'POST /v1/invoices/in_1/void {}'],
  ['mark-uncollectible in_1', 'POST /v1/invoices/in_1/mark_uncollectible {}'],
  ['pay in_1', 'POST /v1/invoices/in_1/pay {}'],
  [
    'pay in_1 --payment-method pm_1 --on-session',
    'POST /v1/invoices/in_1/pay {"payment_method":"pm_1","off_session":false}',
  ],
  ['pay in_1 --paid-out-of-band', 'POST /v1/invoices/in_1/pay {"paid_out_of_band":true}'],
]

for (const [args, request] of CALLS) {
  test(`paycli invoices ${args} sends ${request}`, async () => {
    const ended = await run(...args.split(' '), '--field', 'status')
    assert.equal([ended.code, ended.stdout, ended.stderr], [0, 'paid\n', ''])
    const seen = server.seen.map(({ method, url, body }) => `${method} ${url} ${body}`)
    assert.equal(seen, [request])
  })
}

/** The 402 response to a payment of an invoice. */
function declined(code: string, payment: object): Reaction {
  const message = `Something about ${code}.`
  const error = { type: 'card_error', code, message, param: null, errors: [], decline_code: null }
  return {
    status: 402,
    body: { error: { ...error, payment: { invoice: 'in_1', customer: 'cus_1', ...payment } } },
  }
}

test('pay exits with 6 for a declined card and suggests another card', async () => {
  reaction = declined('card_declined', { next_action: null })
  const { code, stdout, stderr } = await run('pay', 'in_1')
  assert.equal([code, stdout], [6, ''])
  assert.match(stderr, /--payment-method.*paycli cards list cus_1/)
})

test('pay prints the 3-D Secure URL in the text output and in the JSON output', async () => {
  reaction = declined('authentication_required', {
    next_action: { type: 'redirect_to_url', redirect_to_url: { url: APPROVAL } },
  })
  const result = await run('pay', 'in_1', '--on-session')
  assert.is(result.code, 6)
  assert.match(result.stderr, `The cardholder must approve the payment at ${APPROVAL}`)
  const read = await run('pay', 'in_1', '--on-session', '--json')
  assert.is(JSON.parse(read.stderr).error.approve_url, APPROVAL)
})

test.run()
