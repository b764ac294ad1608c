import { api } from '../../../src/api/api.ts'
import { START } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'
import {
  type ClockSandbox,
  createClockSandbox,
  newCheckout,
  SCA_ALWAYS,
  updateClock,
} from '../clock-sandbox.ts'
import { card, locationOf, pathOf, tokenIn, VISA } from '../hosted-pages.ts'

const test = suite('clock-pages')

/** 3 May 2040, 12:00 UTC. */
const MAY_2040 = 2_219_659_200
/** 3 May 2019, 12:00 UTC. */
const MAY_2019 = 1_556_884_800

/** Creates a checkout session on a clock at `frozenTime`, in Unix seconds. */
async function createSession(frozenTime: number): Promise<ClockSandbox & { readonly path: string }> {
  const clocked = await createClockSandbox(frozenTime)
  return { ...clocked, path: pathOf(await newCheckout(clocked)) }
}

test('shows dates in the time of the test clock of the session', async () => {
  const { hosted, path } = await createSession(MAY_2040)
  assert.match((await hosted.get(path)).body, /The next payment is on June.3,.2040/)
  await hosted.submit(path, { ...VISA, expiry: '12/2041' })
  const { body } = await hosted.get(`${path}/done`)
  assert.match(body, /Next payment<\/dt><dd>June.3,.2040/)
})

test('checks the card expiry at the time of the test clock of the session', async () => {
  const later = await createSession(MAY_2040)
  const expired = { ...VISA, expiry: '04/40' }
  for (const fields of [expired, { ...expired, name: 'x'.repeat(257) }]) {
    const { status, body } = await later.hosted.submit(later.path, fields)
    assert.is(status, 422)
    assert.match(body, /-error">[^<]*expiry month is in the past\./)
  }
  const earlier = await createSession(MAY_2019)
  const valid = { ...VISA, expiry: '05/19' }
  const faulty = await earlier.hosted.submit(earlier.path, { ...valid, name: 'x'.repeat(257) })
  assert.not.match(faulty.body, /-error">[^<]*is in the past/)
  assert.is((await earlier.hosted.submit(earlier.path, valid)).status, 303)
})

test('expires a form in real time, not at the time of the test clock', async () => {
  const { sandbox, hosted, path } = await createSession(MAY_2019)
  const form_token = tokenIn((await hosted.get(path)).body)
  sandbox.setClock(START + 86_401)
  assert.is((await hosted.post(path, { ...VISA, form_token })).status, 422)
})

test('does not use up a form while the clock is advancing', async () => {
  const clocked = await createSession(START)
  const { hosted, sandbox, path } = clocked
  const form_token = tokenIn((await hosted.get(path)).body)
  await updateClock(clocked, { status: 'advancing' })
  const before = JSON.stringify(await sandbox.snapshot())
  const looked = await hosted.get(path)
  assert.equal([looked.status, looked.headers['Retry-After']], [409, '1'])
  assert.match(looked.body, 'One moment, please')
  assert.match(looked.body, `<meta http-equiv="refresh" content="1; url=${path}">`)
  for (const fields of [VISA, { ...VISA, name: 'x'.repeat(257) }]) {
    const sent = await hosted.post(path, { ...fields, form_token })
    assert.equal([sent.status, sent.headers['Retry-After']], [409, '1'])
    assert.match(sent.body, 'The form you just sent was not used')
    assert.match(sent.body, `href="${path}"`)
    assert.not.match(sent.body, 'http-equiv="refresh"', 'there is time to read it')
  }
  assert.is(JSON.stringify(await sandbox.snapshot()), before)
  await updateClock(clocked, {})
  assert.is((await hosted.post(path, { ...VISA, form_token })).status, 303)
})

test('returns the outcome of a used form for every status of the clock', async () => {
  for (const change of [{ status: 'advancing' }, { status: 'internal_failure' }, 'deleted'] as const) {
    const clocked = await createSession(START)
    const { hosted, path } = clocked
    const form = { ...VISA, form_token: tokenIn((await hosted.get(path)).body) }
    await hosted.post(path, form)
    await updateClock(clocked, change)
    assert.is(locationOf(await hosted.post(path, form)), `${path}/done`)
    assert.is((await hosted.get(path)).status, 200)
    assert.match((await hosted.get(`${path}/done`)).body, 'You are subscribed')
  }
})

test('shows that a clock has failed or was deleted, with instructions', async () => {
  for (const [change, status, words] of [
    [{ status: 'internal_failure' }, 409, 'delete the clock and create a new one'],
    ['deleted', 410, 'Ask the sender of this link for a new one.'],
  ] as const) {
    const clocked = await createSession(START)
    const { hosted, path } = clocked
    const form_token = tokenIn((await hosted.get(path)).body)
    await updateClock(clocked, change)
    for (const answer of [
      await hosted.get(path),
      await hosted.get(`${path}/done`),
      await hosted.post(path, { ...VISA, form_token }),
    ]) {
      assert.is(answer.status, status)
      assert.match(answer.body, words)
      assert.not.match(answer.body, 'http-equiv="refresh"')
    }
  }
})

test('shows canceled sessions after their clock was deleted', async () => {
  const { hosted, sandbox, clock, path } = await createSession(START)
  const form_token = tokenIn((await hosted.get(path)).body)
  await sandbox.call(api.testClocks.delete, { id: clock.id })
  for (const answer of [await hosted.get(path), await hosted.post(path, { ...VISA, form_token })]) {
    assert.is(answer.status, 410)
    assert.match(answer.body, 'This request was canceled')
  }
})

test('accepts a 3-D Secure response only when the clock is ready', async () => {
  const clocked = await createSession(START)
  const { hosted, path } = clocked
  const bank = locationOf(await hosted.submit(path, card(SCA_ALWAYS)))
  const form = { answer: 'approve', form_token: tokenIn((await hosted.get(bank)).body) }
  await updateClock(clocked, { status: 'advancing' })
  const { status, body } = await hosted.post(bank, form)
  assert.is(status, 409)
  assert.match(body, `href="${bank}"`)
  await updateClock(clocked, {})
  assert.is(locationOf(await hosted.post(bank, form)), `${path}/done`)
})

test('measures the waiting time after too many declines in clock time', async () => {
  const { hosted, sandbox, clock, path } = await createSession(START)
  const declined = card('4000000000000002')
  for (let n = 0; n < 10; n += 1) assert.is((await hosted.submit(path, declined)).status, 402)
  await sandbox.moveTo(START + 7200)
  const refused = await hosted.submit(path, VISA)
  assert.is(refused.status, 429)
  assert.match(refused.body, 'Advance the test clock by 60 minutes')
  assert.is(refused.headers['Retry-After'], undefined)
  await sandbox.call(api.testClocks.advance, { id: clock.id, by: { interval: 'hour', count: 1 } })
  assert.is((await hosted.submit(path, VISA)).status, 303)
})

test.run()
