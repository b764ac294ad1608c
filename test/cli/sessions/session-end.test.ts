import { EXIT_CODES } from '../../../src/cli/output/exit-codes.ts'
import { awaitEnd, awaitIssuer, followNew, looksOf } from '../../../src/cli/sessions/session-end.ts'
import { assert, suite } from '../../support/suite.ts'

type Status = 'open' | 'complete' | 'expired'

const test = suite('cli/session-end')

const session = (status: Status) => ({ id: 'cks_1', url: 'http://127.0.0.1:4101/checkout/cks_1', status })

/** Looks at a session that goes through those states, one a look. */
function through(...states: Status[]) {
  const seen: string[] = []
  return {
    seen,
    nextLook: async () => {},
    retrieve: async (id: string) => {
      seen.push(id)
      return session(states.shift() ?? 'open')
    },
  }
}

let before: typeof process.exitCode

test.before.each(() => {
  before = process.exitCode
})

test.after.each(() => {
  process.exitCode = before
})

test('it waits for the end, which is the exit code', async () => {
  for (const [end, code] of [
    ['complete', before],
    ['expired', EXIT_CODES.refused],
  ] as const) {
    const looking = through('open', 'open', end)
    const ended = await awaitEnd(session('open'), Infinity, looking)
    assert.is(ended.status, end)
    assert.is(process.exitCode, code)
    assert.equal(looking.seen, ['cks_1', 'cks_1', 'cks_1'])
  }
})

test('a session that has ended is not waited for', async () => {
  const looking = through()
  assert.is((await awaitEnd(session('complete'), Infinity, looking)).status, 'complete')
  assert.equal(looking.seen, [])
})

test('it gives up after as many looks as there is time for', async () => {
  const looking = through()
  assert.is((await awaitEnd(session('open'), 3, looking)).status, 'open')
  assert.is(looking.seen.length, 3)
  assert.is(process.exitCode, EXIT_CODES.timeout)
})

test('an issuer that takes its time is waited for, but not for ever', async () => {
  const looking = through('open', 'complete')
  assert.is((await awaitIssuer(session('open'), looking)).status, 'complete')
  assert.is(process.exitCode, before)
  const endless = through()
  assert.is((await awaitIssuer(session('open'), endless)).status, 'open')
  assert.is(endless.seen.length, 20)
  assert.is(process.exitCode, EXIT_CODES.timeout)
})

test('a length of time is so many looks, and nothing else is one', () => {
  assert.equal(['1s', '90s', '10m', '1h'].map(looksOf), [2, 180, 1200, 7200])
  assert.is(looksOf(undefined), Infinity)
  for (const wrong of ['', '0s', '10', '1d', '-1s', '1.5m'])
    assert.throws(() => looksOf(wrong), /length of time/)
})

test('a wrong length of time is told before anything is created', async () => {
  let created = 0
  const create = async () => {
    created += 1
    return session('open')
  }
  const work = followNew({ wait: true, 'max-wait': 'long' }, { ...through(), create })
  assert.match(await work.then(String, String), 'length of time')
  assert.is(created, 0)
  assert.is((await followNew({}, { ...through(), create })).status, 'open')
})

test.run()
