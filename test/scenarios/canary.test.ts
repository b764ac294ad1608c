import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { streams } from '../../src/api/operations/streams.ts'
import { type Serving, startServing } from '../commands/serving.ts'
import { type Reading, readRoute } from '../daemon/reading.ts'
import { cardFields, openForm, sendForm } from '../support/buyer.ts'
import { newFolder } from '../support/folders.ts'
import { assert, suite } from '../support/suite.ts'
import { type Answer, ask, fieldsOf, post } from '../support/wire.ts'
import { openReceiver, type Receiver } from '../webhooks/receiver.ts'

/** None of them is among the cards that the page itself suggests. */
const APPROVED = { number: '378282246310005', exp_month: 12, exp_year: 2031, cvc: '9173' }
const DECLINED = { number: '4000000000006975', exp_month: 12, exp_year: 2031, cvc: '917' }
const UNKNOWN = '4111111111111111'
const LIVE_KEY = 'sk_live_Canary0Of1Another2Service'

const test = suite('scenarios/canary')

let home: string
let serving: Serving
let handler: Receiver
let readings: readonly Reading[] = []
const answers: string[] = []

test.before(async () => {
  home = newFolder()
  handler = await openReceiver()
  serving = await startServing(['--log-format', 'json', '--forward-to', handler.url], { PAYCLI_HOME: home })
  const routes = [streams.events, streams.requestLogs]
  readings = await Promise.all(routes.map((route) => readRoute(serving, { route, query: { after: 0 } })))
})

test.after(async () => {
  serving?.kill('SIGKILL')
  await handler?.close()
})

async function noted(asking: Promise<Answer>): Promise<Answer> {
  const answer = await asking
  answers.push(JSON.stringify(answer.headers), answer.text)
  return answer
}

async function newSession(customer: string): Promise<{ readonly id: string; readonly url: string }> {
  const { api_url, api_key } = serving.location
  const answer = await post(`${api_url}/v1/payment_sessions`, api_key, {
    amount: 1000,
    currency: 'eur',
    customer,
    payment_method_types: ['card'],
    return_url: 'https://example.com/return',
  })
  return fieldsOf(answer)
}

/** Everything that stays behind or goes out: files, log, webhooks, answers. */
async function traces(): Promise<readonly (readonly [where: string, text: string])[]> {
  const files = readdirSync(home, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  return [
    ...files.map((file) => [file, readFileSync(file, 'latin1')] as const),
    ['the log', await serving.said(/^/)],
    ['a webhook', JSON.stringify(handler.received)],
    ['an answer', answers.join('\n')],
    ...readings.map((reading) => ['a stream', reading.text()] as const),
  ]
}

test('security 7: a card number and its code stay nowhere, paid, declined, mistyped or in a crash, and no key', async () => {
  const { api_url, api_key } = serving.location
  const { id } = fieldsOf<{ id: string }>(
    await post(`${api_url}/v1/customers`, api_key, { email: 'ada@example.com' }),
  )
  const complete = async (card: object) => {
    const session = await newSession(id)
    const path = `/v1/test_helpers/payment_sessions/${session.id}/complete`
    return noted(post(`${api_url}${path}`, api_key, { card }))
  }
  assert.is((await complete(APPROVED)).status, 200)
  assert.is((await complete(DECLINED)).status, 402)
  assert.is((await complete({ ...DECLINED, number: UNKNOWN })).status, 402)
  assert.is((await complete({ ...APPROVED, exp_year: 2001 })).status, 400)
  assert.is((await complete({ ...APPROVED, [APPROVED.number]: APPROVED.number })).status, 400)
  const { url } = await newSession(id)
  for (const number of [UNKNOWN, '4000 0000 0000 6975', '3782-822463-10005']) {
    const fields = { ...cardFields(number), cvc: '9173', name: number }
    await noted(sendForm(url, await openForm(url), fields))
  }
  const headers = { Authorization: `Bearer ${api_key}`, 'Content-Type': 'application/json' }
  const broken = `{"card":{"number":"${APPROVED.number}","cvc":"${APPROVED.cvc}",`
  const malformed = await noted(ask(`${api_url}/v1/customers`, { method: 'POST', headers, body: broken }))
  assert.is(malformed.status, 400)
  await noted(ask(`${api_url}/v1/customers?email=${APPROVED.number}`, { headers }))
  await noted(ask(`${api_url}/v1/customers/${APPROVED.number}`, { headers }))
  await noted(post(`${api_url}/v1/customers`, api_key, { email: 'a@example.com', card: APPROVED }))
  const { secret } = fieldsOf<{ secret: string }>(await post(`${api_url}/v1/api_keys`, api_key, {}))
  const keys = [secret, LIVE_KEY]
  for (const key of keys) await noted(ask(`${api_url}/v1/customers/${key}`, { headers }))
  await handler.has(8)
  await readings[0]?.has('event', 8)
  await readings[1]?.has('request_log', 12)
  serving.kill('SIGKILL')
  await serving.ended
  const found = await traces()
  assert.ok(found.some(([where, text]) => where.includes('paycli.json') && text.includes('ada@example.com')))
  for (const [where, all] of found) {
    // The number of the process may be any.
    const text = all.replaceAll(`"pid": ${serving.pid},`, '')
    const digits = text.replaceAll(/(?<=\d)[ -](?=\d)/g, '')
    for (const { number, cvc } of [APPROVED, DECLINED]) {
      assert.not.ok(digits.includes(number), `${where} holds ${number}`)
      assert.not.match(text, new RegExp(`(?<![\\w.:])${cvc}(?!\\w)`), where)
    }
    assert.not.ok(digits.includes(UNKNOWN), `${where} holds ${UNKNOWN}`)
    for (const key of keys) assert.not.ok(text.includes(key), `${where} holds ${key}`)
  }
})

test.run()
