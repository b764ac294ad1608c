import { openDaemon, type TestDaemon } from '../support/daemon.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('scenarios/debit-stories')

let daemon: TestDaemon

test.before(async () => {
  daemon = await openDaemon()
})

test.after(() => daemon?.stop())

async function paycli(line: string): Promise<string> {
  const { api_url, api_key } = daemon.location
  const env = { PAYCLI_HOME: daemon.home, PAYCLI_API_BASE: api_url, PAYCLI_API_KEY: api_key }
  const { code, stdout, stderr } = await runCommand(line.split(' '), env)
  assert.is(code, 0, `${line}: ${stderr}`)
  return stdout.trim()
}

const TYPES = '--payment-method-types card --payment-method-types sepa_debit'

test('a debit fails after three days, and a card recovers the subscription, from the command line', async () => {
  const clock = await paycli('clock create --at 2026-01-01 --field id')
  const customer = await paycli(`customers create --email ada@example.com --test-clock ${clock} --field id`)
  const session = await paycli(
    `checkout create --customer ${customer} --currency eur --item Plan:1900 --interval month ${TYPES} --field id`,
  )
  const completed = await paycli(`checkout complete ${session} --card sepa_debit_fails --json`)
  const { payment_status, subscription, invoice } = JSON.parse(completed) as Record<string, string>
  assert.is(payment_status, 'unpaid')
  assert.is(await paycli(`get ${subscription} --field status`), 'active')
  assert.is(await paycli(`upcoming ${subscription} --field data.0.type`), 'payment.failed')
  await paycli(`clock advance ${clock} 3d`)
  assert.is(await paycli(`get ${subscription} --field status`), 'past_due')
  assert.is(await paycli(`get ${invoice} --field last_payment_error.code`), 'insufficient_funds')
  const update = await paycli(`card-sessions create --customer ${customer} --field id`)
  await paycli(`card-sessions complete ${update} --card visa`)
  assert.is(await paycli(`get ${invoice} --field status`), 'paid')
  assert.is(await paycli(`get ${subscription} --field status`), 'active')
  const timeline = await paycli(`timeline ${subscription}`)
  for (const type of [
    'invoice.payment_failed',
    'subscription.past_due',
    'invoice.paid',
    'subscription.recovered',
  ])
    assert.match(timeline, type)
})

test('a session by debit is complete before it is paid, and its refund is pending for three days', async () => {
  const clock = await paycli('clock create --at 2026-01-01 --field id')
  const customer = await paycli(`customers create --email ada@example.com --test-clock ${clock} --field id`)
  const session = await paycli(
    `payment-sessions create --customer ${customer} --amount 2500 --currency eur ${TYPES} --field id`,
  )
  const payment = await paycli(
    `payment-sessions complete ${session} --card DE89370400440532013000 --field payment`,
  )
  const state = async () => [
    await paycli(`get ${session} --field payment_status`),
    await paycli(`get ${payment} --field status`),
  ]
  assert.equal(await state(), ['unpaid', 'processing'])
  await paycli(`clock advance ${clock} 3d`)
  assert.equal(await state(), ['paid', 'succeeded'])
  const refund = await paycli(`payments refund ${payment} --field id`)
  assert.is(await paycli(`get ${refund} --field status`), 'pending')
  await paycli(`clock advance ${clock} 3d`)
  assert.is(await paycli(`get ${refund} --field status`), 'succeeded')
})

test.run()
