import { customers } from '../../../src/api/operations/customers.ts'
import { testClocks } from '../../../src/api/operations/test-clocks.ts'
import { UsageError } from '../../../src/cli/errors/usage-error.ts'
import { chooseClock } from '../../../src/cli/sessions/clock-choice.ts'
import { openDaemon, type TestDaemon } from '../../support/daemon.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/clock-choice')

let daemon: TestDaemon

test.before(async () => {
  daemon = await openDaemon()
})

test.after(() => daemon?.stop())

test('selects the only clock, and throws when there is no clock or more than one clock', async () => {
  const { client, call } = daemon
  const failed = () => chooseClock(client, undefined).catch((error: UsageError) => error)
  const none = (await failed()) as UsageError
  assert.instance(none, UsageError)
  assert.match(none.hint ?? '', 'paycli clock create')

  const first = await call(testClocks.create, { frozen_time: 1704067200, name: 'Year' })
  assert.equal(await chooseClock(client, undefined), { clock: first, isOnly: true })
  const second = await call(testClocks.create, { frozen_time: 1704067200 })
  const two = (await failed()) as UsageError
  assert.is(two.message, 'There are 2 test clocks, and no id was given.')
  assert.is(two.hint, `Give one of: ${second.id}, ${first.id} (Year)`)
  assert.equal(await chooseClock(client, first.id), { clock: first, isOnly: false })

  await call(testClocks.delete, { id: second.id })
  assert.is((await chooseClock(client, undefined)).clock.id, first.id)
})

test('names the clock of an object that was given instead of a clock', async () => {
  const { call, client } = daemon
  const { id } = await call(testClocks.create, { frozen_time: 1704067200 })
  const on = await call(customers.create, { email: 'a@b.co', test_clock: id })
  const off = await call(customers.create, { email: 'a@b.co' })
  const hintOf = async (given: string) =>
    chooseClock(client, given, (clock) => `paycli clock advance ${clock} 1mo`).then(
      String,
      (error: UsageError) => error.hint,
    )
  assert.is(await hintOf(on.id), `Use its clock: paycli clock advance ${id} 1mo`)
  assert.match((await hintOf(off.id)) ?? '', 'It is on no clock.')
})

test('throws for a clock id that does not exist', async () => {
  assert.match(await chooseClock(daemon.client, 'clock_none').then(String, String), "'clock_none'")
})

test.run()
