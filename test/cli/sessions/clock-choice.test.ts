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

test('the only clock is chosen, none and several are not', async () => {
  const { client, call } = daemon
  const refused = () => chooseClock(client, undefined).catch((error: UsageError) => error)
  const none = (await refused()) as UsageError
  assert.instance(none, UsageError)
  assert.match(none.hint ?? '', 'paycli clock create')

  const first = await call(testClocks.create, { frozen_time: 1704067200, name: 'Year' })
  assert.equal(await chooseClock(client, undefined), { clock: first, isOnly: true })
  const second = await call(testClocks.create, { frozen_time: 1704067200 })
  const two = (await refused()) as UsageError
  assert.is(two.message, 'There are 2 test clocks: say which.')
  assert.is(two.hint, `Name one of ${second.id}, ${first.id} (Year)`)
  assert.equal(await chooseClock(client, first.id), { clock: first, isOnly: false })

  await call(testClocks.delete, { id: second.id })
  assert.is((await chooseClock(client, undefined)).clock.id, first.id)
})

test('a clock that is named must be there', async () => {
  assert.match(await chooseClock(daemon.client, 'clock_none').then(String, String), "'clock_none'")
})

test.run()
