import { type FakeServer, startFakeServer } from '../client/fake-server.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'
import type { Ended } from './paycli.ts'

const SESSION = {
  id: 'cd_sess_1',
  object: 'card_session',
  status: 'open',
  url: 'http://127.0.0.1:4101/cards/cd_sess_1',
}

let server: FakeServer
let reached: string

function run(...args: string[]): Promise<Ended> {
  return runCommand(args, { PAYCLI_API_BASE: server.url, PAYCLI_API_KEY: 'k' })
}

function sentBody(): unknown {
  return JSON.parse(server.seen[0]?.body ?? '')
}

const test = suite('commands/card-sessions')

test.before(async () => {
  server = await startFakeServer(() => ({
    body: { ...SESSION, status: reached, payment_method: reached === 'complete' ? 'pm_1' : null },
  }))
})

test.before.each(() => {
  reached = 'open'
  server.seen.length = 0
})

test.after(() => server.stop())

for (const command of [
  ['card-sessions', 'create'],
  ['cards', 'update'],
]) {
  test(`${command.join(' ')} sends all parameters of the API`, async () => {
    const flags = ['--subscription', 'sub_1', '--no-pay-open-invoices', '--return-url', 'https://example.com']
    const { code, stdout } = await run(...command, '--customer', 'cus_1', ...flags)
    assert.is(code, 0)
    assert.is(JSON.parse(stdout).url, SESSION.url)
    assert.is(server.seen[0]?.url, '/v1/card_sessions')
    assert.equal(sentBody(), {
      customer: 'cus_1',
      subscription: 'sub_1',
      pay_open_invoices: false,
      return_url: 'https://example.com',
    })
  })

  test(`${command.join(' ')} lists missing flags`, async () => {
    const { code, stderr } = await run(...command)
    assert.is(code, 2)
    assert.match(stderr, /^Error: Missing flag(?:s)?: --customer\.\n/)
  })
}

test('create --wait prints the completed session', async () => {
  reached = 'complete'
  const { code, stdout } = await run('cards', 'update', '--customer', 'cus_1', '--wait')
  assert.is(code, 0)
  assert.is(JSON.parse(stdout).payment_method, 'pm_1')
})

test('complete sends a card alias', async () => {
  reached = 'complete'
  const { code } = await run('card-sessions', 'complete', 'cd_sess_1', '--card', 'visa')
  assert.is(code, 0)
  assert.is(server.seen[0]?.url, '/v1/test_helpers/card_sessions/cd_sess_1/complete')
  assert.equal(sentBody(), { test_card: 'visa' })
})

test('expire sends the id', async () => {
  await run('card-sessions', 'expire', 'cd_sess_1')
  assert.is(server.seen[0]?.url, '/v1/card_sessions/cd_sess_1/expire')
})

test('invoices pay-as-customer sends the card and the choice to keep it', async () => {
  const flags = ['--card', 'sca_always', '--three-d-secure', 'approve', '--keep']
  await run('invoices', 'pay-as-customer', 'in_1', ...flags)
  assert.is(server.seen[0]?.url, '/v1/test_helpers/invoices/in_1/pay_as_customer')
  assert.equal(sentBody(), { test_card: 'sca_always', three_d_secure: 'approve', keep: true })
})

test.run()
