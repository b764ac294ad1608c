import { EXIT_CODES } from '../../../src/cli/output/exit-codes.ts'
import {
  createSessionAndWait,
  getMaxPolls,
  waitForIssuerDecision,
  waitForSessionEnd,
} from '../../../src/cli/sessions/session-wait.ts'
import { assert, suite } from '../../support/suite.ts'

type Status = 'open' | 'complete' | 'expired'

const test = suite('cli/session-wait')

const session = (status: Status) => ({ id: 'cks_1', url: 'http://127.0.0.1:4101/checkout/cks_1', status })

/** Creates a `retrieve` function that returns these states in order, and then `open`. */
function returning(...states: Status[]) {
  const ids: string[] = []
  const retrieve = async (id: string) => {
    ids.push(id)
    return session(states.shift() ?? 'open')
  }
  return { ids, retrieve }
}

const noPause = async () => {}

let before: typeof process.exitCode

test.before.each(() => {
  before = process.exitCode
})

test.after.each(() => {
  process.exitCode = before
})

test('waits for the session to end and sets the exit code by its final status', async () => {
  for (const [end, code] of [
    ['complete', before],
    ['expired', EXIT_CODES.rejected],
  ] as const) {
    const { ids, retrieve } = returning('open', 'open', end)
    const ended = await waitForSessionEnd(session('open'), Infinity, retrieve, noPause)
    assert.is(ended.status, end)
    assert.is(process.exitCode, code)
    assert.equal(ids, ['cks_1', 'cks_1', 'cks_1'])
  }
})

test('does not poll a session that has ended', async () => {
  const { ids, retrieve } = returning()
  const ended = await waitForSessionEnd(session('complete'), Infinity, retrieve, noPause)
  assert.is(ended.status, 'complete')
  assert.equal(ids, [])
})

test('sets the timeout exit code when the session is still open after the maximum number of polls', async () => {
  const { ids, retrieve } = returning()
  assert.is((await waitForSessionEnd(session('open'), 3, retrieve, noPause)).status, 'open')
  assert.is(ids.length, 3)
  assert.is(process.exitCode, EXIT_CODES.timeout)
})

test('waits at most 10 s for the response of a slow issuer', async () => {
  const { retrieve } = returning('open', 'complete')
  assert.is((await waitForIssuerDecision(session('open'), retrieve, noPause)).status, 'complete')
  assert.is(process.exitCode, before)
  const endless = returning()
  assert.is((await waitForIssuerDecision(session('open'), endless.retrieve, noPause)).status, 'open')
  assert.is(endless.ids.length, 20)
  assert.is(process.exitCode, EXIT_CODES.timeout)
})

test('converts --max-wait to a number of polls', () => {
  assert.equal(['1s', '90s', '10m', '1h', '1d'].map(getMaxPolls), [2, 180, 1200, 7200, 172_800])
  assert.is(getMaxPolls(undefined), Infinity)
  for (const wrong of ['', '0s', '10', '1mo', '-1s', '1.5m'])
    assert.throws(() => getMaxPolls(wrong), /expected a duration/)
})

test('rejects an invalid --max-wait before it creates the session', async () => {
  let created = 0
  const create = async () => {
    created += 1
    return session('open')
  }
  const work = createSessionAndWait({ wait: true, 'max-wait': 'long' }, create, returning().retrieve)
  assert.match(await work.then(String, String), 'expected a duration')
  assert.is(created, 0)
  assert.is((await createSessionAndWait({}, create, returning().retrieve)).status, 'open')
})

test.run()
