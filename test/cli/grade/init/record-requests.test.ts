import { createServer, type IncomingMessage, type Server } from 'node:http'
import { customers, paymentSessions } from '../../../../src/api/index.ts'
import { type RecordedStep, replayRecording } from '../../../../src/cli/explore/run/recorded-scenario.ts'
import type { ScenarioRun } from '../../../../src/cli/explore/run/run-context.ts'
import { recordRequests } from '../../../../src/cli/grade/init/record-requests.ts'
import { createProcessGroups } from '../../../../src/cli/processes/process-groups.ts'
import { closeServer, listenLocally, readBodyBytes } from '../../../../src/cli/webhook-tools/local-server.ts'
import { openDaemon, type TestDaemon } from '../../../support/daemon.ts'
import { assert, suite } from '../../../support/suite.ts'

const test = suite('cli/grade/record-requests')

let daemon: TestDaemon
let shop: Server
let port: number
/** The paths that the shop answered, with the values of the body. */
const handled: string[] = []
/** The shop responds to the next requests with 503. */
let failures = 0
let orders = 6

/** A shop with cookies, form tokens, numbered orders and a hosted page for each order. */
async function handle({ method, url = '', headers }: IncomingMessage, body: string) {
  const { host, cookie } = headers
  failures -= 1
  if (failures >= 0) return { status: 503, text: '' }
  const token = `token-${orders}abc`
  if (url === '/')
    return { status: 200, text: `<input name="t" value="${token}">`, cookie: `sid=${token}; Path=/` }
  handled.push(`${method} ${url} ${body}`)
  if (cookie !== `sid=${token}` && url === '/buy') return { status: 403, text: 'no session' }
  if (url === '/buy' && body.startsWith(`t=${token}&`)) {
    orders += 1
    const { id } = await daemon.client.call(customers.create, { email: 'ada@example.com' })
    const params = { customer: id, amount: 1999, currency: 'eur' }
    await daemon.client.call(paymentSessions.create, params)
    return { status: 303, text: '', location: `http://${host}/orders/${orders}` }
  }
  return { status: url.startsWith(`/orders/${orders}`) ? 200 : 404, text: 'Order' }
}

test.before(async () => {
  daemon = await openDaemon()
  shop = createServer(async (request, response) => {
    const body = (await readBodyBytes(request)).toString('utf8')
    const { status, text, cookie, location } = { cookie: '', location: '', ...(await handle(request, body)) }
    response.writeHead(status, {
      'content-type': 'text/html',
      ...(cookie && { 'set-cookie': cookie }),
      ...(location && { location }),
    })
    response.end(text)
  })
  port = await listenLocally(shop)
})

test.after(async () => {
  await closeServer(shop)
  await daemon?.stop()
})

/** Buys as a browser does, through the proxy at `url`. */
async function buy(url: string): Promise<void> {
  const page = await fetch(url)
  const cookie = page.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const [, token = ''] = /value="([^"]+)"/.exec(await page.text()) ?? []
  await fetch(`${url}/style.css`)
  const body = new URLSearchParams({ t: token, email: 'ada@example.com' })
  const bought = await fetch(`${url}/buy`, { method: 'POST', headers: { cookie }, body, redirect: 'manual' })
  const order = bought.headers.get('location') ?? ''
  assert.ok(order.startsWith(`${url}/orders/`), order)
  const { data } = await daemon.client.call(paymentSessions.list, {})
  await daemon.client.call(paymentSessions.complete, { id: data[0]?.id ?? '', test_card: 'visa' })
  await fetch(order)
  await fetch(order)
  await fetch(`${order}/missing`, { method: 'HEAD' })
}

const replay = (steps: readonly RecordedStep[]) => {
  const env = { PORT: String(port), PAYCLI_API_KEY: 'payk_test_ABCDEFGH' }
  return replayRecording(steps, daemon.client, {
    env,
    groups: createProcessGroups(() => {}),
    timeoutMs: 20_000,
  })
}

test('records requests and completed pages, and replays them with new tokens, ids and cookies', async () => {
  const run = {
    setup: { appUrl: `http://127.0.0.1:${port}` },
    client: daemon.client,
  } as unknown as ScenarioRun
  const steps = await recordRequests(run, buy)
  assert.equal(
    steps.map(({ method, path, body, status, complete }) => [complete ?? `${method} ${path}`, body, status]),
    [
      ['GET /', undefined, 200],
      ['POST /buy', 't={{1|t name="t" value="}}&email=ada%40example.com', 303],
      ['payment_session', undefined, undefined],
      ['GET /orders/{{2|location: /orders/}}', undefined, 200],
    ],
  )
  handled.length = 0
  failures = 2
  const unique = steps.map((step) => ({
    ...step,
    ...(step.body && { body: step.body.replace('ada', '{{run}}') }),
  }))
  assert.is(await replay(unique), null)
  const buyBody = 't=token-7abc&email=abcdefgh%40example.com'
  assert.equal(handled, [`POST /buy ${buyBody}`, 'GET /orders/8 '])
  const { data } = await daemon.client.call(paymentSessions.list, {})
  assert.equal(
    data.map(({ status }) => status),
    ['complete', 'complete'],
  )
})

test('names the step that fails in a replay', async () => {
  // Each replay repeats its step for three seconds.
  const problems = await Promise.all(
    [
      [{ path: '/orders/999' }],
      [{ path: '/' }, { path: '/orders/{{1|order="}}' }],
      [{ complete: 'card_session' } as const],
    ].map(replay),
  )
  const [status = '', reference = '', session = ''] = problems.map(String)
  assert.match(status, 'Step 1 (GET /orders/999): the response was 404 instead of 200')
  assert.match(reference, `no longer contains a value after 'order="'`)
  assert.match(session, 'complete the card session): the app created no session')
})

test.run()
