import { mock } from 'node:test'
import { runWithTimeout } from '../../src/client/timing.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('client/pause')
const FIVE_WEEKS_MS = 5 * 7 * 86_400_000

test('runWithTimeout limits the timeout to the maximum delay of setTimeout', async () => {
  const timer = mock.method(globalThis, 'setTimeout')
  await runWithTimeout(FIVE_WEEKS_MS, async () => 'done')
  const [ms] = timer.mock.calls.map(({ arguments: [, given] }) => given)
  timer.mock.restore()
  assert.is(ms, 2 ** 31 - 1)
})

test.run()
