import { openDaemon, type TestDaemon } from '../support/daemon.ts'
import { newFolder } from '../support/folders.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('commands/clock dunning')

const env = { PAYCLI_HOME: newFolder() }
let daemon: TestDaemon

test.before(async () => {
  daemon = await openDaemon({ home: env.PAYCLI_HOME })
})

test.after(() => daemon?.stop())

/** Runs a command that must succeed and returns the printed field. */
async function field(name: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommand([...args, '--field', name], env)
  assert.is(code, 0, stderr)
  return stdout.trim()
}

const TERMS = ['--currency', 'eur', '--item', 'Monthly rent:100000:20:rent', '--interval', 'month']

/** Creates a customer on a new clock with a subscription paid by card. */
async function subscribed(card: string) {
  const clock = await field('id', 'clock', 'create', '--at', '2024-01-01')
  const who = ['--email', 'ada@example.com', '--test-clock', clock]
  const customer = await field('id', 'customers', 'create', ...who)
  const buy = async (with_: string) => {
    const session = await field('id', 'checkout', 'create', '--customer', customer, ...TERMS)
    await field('id', 'checkout', 'complete', session, '--card', with_)
    return session
  }
  const subscription = await field('subscription', 'checkout', 'get', await buy(card))
  const statusAfter = async (span: string) => {
    await field('id', 'clock', 'advance', clock, span)
    return field('status', 'subscriptions', 'get', subscription)
  }
  return { subscription, buy, statusAfter }
}

test('retries a failed renewal three times and recovers with a new card', async () => {
  const { subscription, buy, statusAfter } = await subscribed('renewal_no_funds')
  const states = [await statusAfter('1mo'), await statusAfter('3d'), await statusAfter('5d')]
  assert.equal(states, ['past_due', 'past_due', 'past_due'])
  const card = await field('payment_method', 'checkout', 'get', await buy('visa'))
  await field('id', 'subscriptions', 'update', subscription, '--default-payment-method', card)
  assert.is(await statusAfter('7d'), 'active')
  const invoice = await field('latest_invoice', 'subscriptions', 'get', subscription)
  const attempts = await runCommand(['payments', 'attempts', '--invoice', invoice], env)
  const tried = JSON.parse(attempts.stdout).data.map(({ status }: { status: string }) => status)
  assert.equal(tried, ['succeeded', 'failed', 'failed', 'failed'])
  assert.is(await field('status', 'invoices', 'get', invoice), 'paid')
})

test('cancels a subscription after the last failed retry', async () => {
  const { subscription, statusAfter } = await subscribed('renewal_no_funds')
  const states = [await statusAfter('1mo'), await statusAfter('3d'), await statusAfter('5d')]
  assert.equal([...states, await statusAfter('7d')], ['past_due', 'past_due', 'past_due', 'canceled'])
  assert.is(await field('cancellation_reason', 'subscriptions', 'get', subscription), 'payment_failed')
  const invoice = await field('latest_invoice', 'subscriptions', 'get', subscription)
  assert.is(await field('attempt_count', 'invoices', 'get', invoice), '4')
  assert.is(await statusAfter('1y'), 'canceled')
  assert.is(await field('latest_invoice', 'subscriptions', 'get', subscription), invoice)
})

test.run()
