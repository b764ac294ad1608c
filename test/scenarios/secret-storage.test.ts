import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { streamRoutes } from '../../src/api/operations/streams.ts'
import { type Serving, startServing } from '../commands/serving.ts'
import { readRoute, type StreamReading } from '../daemon/streams/stream-reader.ts'
import { newFolder } from '../support/folders.ts'
import { cardFields, openForm, sendForm } from '../support/page-forms.ts'
import { fieldsOf, type HttpResponse, postJson, sendRequest } from '../support/raw-http.ts'
import { assert, suite } from '../support/suite.ts'
import { openWebhookServer, type WebhookServer } from '../webhooks/webhook-server.ts'

/** Cards that the page does not suggest. */
const APPROVED = { number: '378282246310005', exp_month: 12, exp_year: 2031, cvc: '9173' }
const DECLINED = { number: '4000000000006975', exp_month: 12, exp_year: 2031, cvc: '917' }
const UNKNOWN = '4111111111111111'
const LIVE_KEY = 'sk_live_Canary0Of1Another2Service'

const test = suite('scenarios/secret-storage')

let home: string
let serving: Serving
let handler: WebhookServer
let readings: readonly StreamReading[] = []
const responses: string[] = []

test.before(async () => {
  home = newFolder()
  handler = await openWebhookServer()
  serving = await startServing(['--log-format', 'json', '--forward-to', handler.url], { PAYCLI_HOME: home })
  const routes = [streamRoutes.events, streamRoutes.requestLogs]
  readings = await Promise.all(routes.map((route) => readRoute(serving, { route, query: { after: 0 } })))
})

test.after(async () => {
  serving?.kill('SIGKILL')
  await handler?.close()
})

async function recordResponse(asking: Promise<HttpResponse>): Promise<HttpResponse> {
  const answer = await asking
  responses.push(JSON.stringify(answer.headers), answer.text)
  return answer
}

async function newSession(customer: string): Promise<{ readonly id: string; readonly url: string }> {
  const { api_url, api_key } = serving.location
  const answer = await postJson(`${api_url}/v1/payment_sessions`, api_key, {
    amount: 1000,
    currency: 'eur',
    customer,
    payment_method_types: ['card'],
    return_url: 'https://example.com/return',
  })
  return fieldsOf(answer)
}

/** Returns all stored and sent data: files, log, webhooks and responses. */
async function readStoredAndSent(): Promise<readonly (readonly [where: string, text: string])[]> {
  const files = readdirSync(home, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  return [
    ...files.map((file) => [file, readFileSync(file, 'latin1')] as const),
    ['the log', await serving.waitForStderr(/^/)],
    ['a webhook', JSON.stringify(handler.received)],
    ['an answer', responses.join('\n')],
    ...readings.map((reading) => ['a stream', reading.text()] as const),
  ]
}

test('the daemon stores and sends no card number, security code or key, for paid, declined and mistyped cards and after a crash', async () => {
  const { api_url, api_key } = serving.location
  const { id } = fieldsOf<{ id: string }>(
    await postJson(`${api_url}/v1/customers`, api_key, { email: 'ada@example.com' }),
  )
  const complete = async (card: object) => {
    const session = await newSession(id)
    const path = `/v1/test_helpers/payment_sessions/${session.id}/complete`
    return recordResponse(postJson(`${api_url}${path}`, api_key, { card }))
  }
  assert.is((await complete(APPROVED)).status, 200)
  assert.is((await complete(DECLINED)).status, 402)
  assert.is((await complete({ ...DECLINED, number: UNKNOWN })).status, 402)
  assert.is((await complete({ ...APPROVED, exp_year: 2001 })).status, 400)
  assert.is((await complete({ ...APPROVED, [APPROVED.number]: APPROVED.number })).status, 400)
  const { url } = await newSession(id)
  for (const number of [UNKNOWN, '4000 0000 0000 6975', '3782-822463-10005']) {
    const fields = { ...cardFields(number), cvc: '9173', name: number }
    await recordResponse(sendForm(url, await openForm(url), fields))
  }
  const headers = { Authorization: `Bearer ${api_key}`, 'Content-Type': 'application/json' }
  const broken = `{"card":{"number":"${APPROVED.number}","cvc":"${APPROVED.cvc}",`
  const malformed = await recordResponse(
    sendRequest(`${api_url}/v1/customers`, { method: 'POST', headers, body: broken }),
  )
  assert.is(malformed.status, 400)
  await recordResponse(sendRequest(`${api_url}/v1/customers?email=${APPROVED.number}`, { headers }))
  await recordResponse(sendRequest(`${api_url}/v1/customers/${APPROVED.number}`, { headers }))
  await recordResponse(
    postJson(`${api_url}/v1/customers`, api_key, { email: 'a@example.com', card: APPROVED }),
  )
  const { secret } = fieldsOf<{ secret: string }>(await postJson(`${api_url}/v1/api_keys`, api_key, {}))
  const keys = [secret, LIVE_KEY]
  for (const key of keys) await recordResponse(sendRequest(`${api_url}/v1/customers/${key}`, { headers }))
  await handler.waitFor(8)
  await readings[0]?.waitFor('event', 8)
  await readings[1]?.waitFor('request_log', 12)
  serving.kill('SIGKILL')
  await serving.ended
  const found = await readStoredAndSent()
  assert.ok(found.some(([where, text]) => where.includes('paycli.json') && text.includes('ada@example.com')))
  for (const [where, all] of found) {
    // The process id may contain any digits.
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
