import { createHash } from 'node:crypto'
import { FORM_SCRIPT, LIVE_SCRIPT, PAGE_SCRIPT, PAGE_STYLE } from '../../src/pages/view/assets.ts'
import { assert, suite } from '../support/suite.ts'
import { HostedPages, locationOf, NOW, pathOf, renderFailurePage, tokenIn, VISA } from './hosted-pages.ts'

const SCRIPTS = [FORM_SCRIPT, LIVE_SCRIPT, PAGE_SCRIPT].map(({ source }) => source)

const test = suite('routes')

const DAY = 86_400

interface Kind {
  readonly folder: string
  readonly make: (hosted: HostedPages) => Promise<{ readonly url: string }>
}

const KINDS: readonly Kind[] = [
  { folder: '/checkout', make: (hosted) => hosted.checkout({}, { return_url: 'https://shop.example/' }) },
  { folder: '/sessions', make: (hosted) => hosted.payment() },
]

type State = 'open' | 'complete' | 'expired' | 'unknown'

async function pathIn(state: State, kind: Kind, hosted: HostedPages): Promise<string> {
  if (state === 'unknown') return `${kind.folder}/none`
  const path = pathOf(await kind.make(hosted))
  if (state === 'complete') await hosted.submit(path, VISA)
  if (state === 'expired') hosted.now = NOW + DAY
  return path
}

const STATUSES = `
  state     GET  HEAD POST GET/done POST/done GET/attempts/x PUT  DELETE OPTIONS
  open      200  200  422  303      405       200            405  405    405
  complete  200  200  303  200      405       200            405  405    405
  expired   410  410  410  410      405       410            405  405    405
  unknown   404  404  404  404      405       404            405  405    405
`

const [[, ...columns] = [], ...rows] = STATUSES.trim()
  .split('\n')
  .map((line) => line.trim().split(/ +/))

for (const kind of KINDS) {
  for (const [state = '', ...statuses] of rows) {
    test(`${kind.folder} returns the expected status for each method and path when the session is ${state}`, async () => {
      const hosted = new HostedPages()
      const path = await pathIn(state as State, kind, hosted)
      for (const [index, column] of columns.entries()) {
        const [method = '', ...rest] = column.split('/')
        const accept = method === 'POST' ? '*/*' : 'text/html'
        const answer = await hosted.serve({ method, path: [path, ...rest].join('/'), accept })
        assert.is(String(answer.status), statuses[index], `${column} of ${state}`)
      }
    })
  }
}

test('returns 405 with Allow for an unsupported method', async () => {
  const hosted = new HostedPages()
  const path = pathOf(await hosted.payment())
  assert.is((await hosted.serve({ method: 'PUT', path })).headers['Allow'], 'GET, HEAD, POST')
  assert.is((await hosted.serve({ method: 'POST', path: `${path}/done` })).headers['Allow'], 'GET, HEAD')
})

test('returns 404 for unknown paths', async () => {
  const hosted = new HostedPages()
  const payment = await hosted.payment()
  const checkout = await hosted.checkout()
  for (const path of [
    '/',
    '',
    '//evil.example',
    '/favicon.ico',
    '/v1/customers',
    '/checkout',
    '/checkout/',
    `${pathOf(checkout)}/`,
    `/checkout/${payment.id}`,
    `/sessions/${checkout.id}`,
    `/sessions/${payment.id}%00`,
    `/SESSIONS/${payment.id}`,
    '/sessions/__proto__',
    '/3ds/none',
    `/3ds/${payment.id}`,
    '/assets/../package.json',
    '/assets/style-000000000000.css',
  ]) {
    assert.is((await hosted.get(path)).status, 404, path)
  }
  assert.is((await hosted.get(`/3ds/${checkout.id}`)).status, 410)
})

/** Returns the expected content security policy for the inline style and scripts of a page. */
function policyOf(body: string): string {
  const sources = (element: string) =>
    [...body.matchAll(new RegExp(`<${element}>([\\s\\S]*?)</${element}>`, 'g'))].map(
      ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
    )
  const unknown = [...sources('style'), ...sources('script')].filter(
    (one) => one !== PAGE_STYLE.source && !SCRIPTS.includes(one),
  )
  assert.equal(unknown, [])
  return [
    "default-src 'none'",
    `style-src ${PAGE_STYLE.source}`,
    `script-src ${SCRIPTS.join(' ')}`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
  ].join('; ')
}

test('sends security headers with every page', async () => {
  const hosted = new HostedPages()
  const session = await hosted.payment()
  const answers = [
    await hosted.get(pathOf(session)),
    await hosted.post(pathOf(session), {}),
    await hosted.submit(pathOf(session), VISA),
    await hosted.get(`${pathOf(session)}/done`),
    await hosted.get('/none'),
    renderFailurePage(500, { brand: { name: null } }),
  ]
  for (const { headers, body } of answers) {
    assert.is(headers['Content-Security-Policy'], policyOf(body))
    assert.is(headers['X-Content-Type-Options'], 'nosniff')
    assert.is(headers['Referrer-Policy'], 'same-origin')
    assert.is(headers['Cache-Control'], 'no-store')
    // A redirect has no text.
    if (body === '') continue
    assert.is(headers['Content-Language'], 'en')
    assert.is(headers['Content-Type'], 'text/html; charset=utf-8')
  }
})

test('links to pages below the configured path, without a host', async () => {
  const hosted = new HostedPages('https://pay.example/at/')
  const session = await hosted.payment()
  const { body } = await hosted.get(`/sessions/${session.id}`)
  assert.match(body, `action="/at/sessions/${session.id}"`)
  assert.not.match(body, 'pay.example')
  assert.is((await hosted.get(`/at/sessions/${session.id}`)).status, 200)
  const paid = await hosted.post(`/sessions/${session.id}`, { ...VISA, form_token: tokenIn(body) })
  assert.is(locationOf(paid), `/at/sessions/${session.id}/done`)
})

test('expires a session on time when no scheduler runs', async () => {
  const hosted = new HostedPages()
  const session = await hosted.payment({ expires_at: NOW + 1800 })
  const form_token = tokenIn((await hosted.get(pathOf(session))).body)
  hosted.now = NOW + 1799
  assert.is((await hosted.get(pathOf(session))).status, 200)
  hosted.now = NOW + 1800
  const late = await hosted.post(pathOf(session), { ...VISA, form_token })
  assert.is(late.status, 410)
  assert.match(late.body, 'This link has expired')
  assert.equal((await hosted.events()).slice(-1), ['payment_session.expired'])
})

test('renders errors outside of the page handlers in the layout of the pages', () => {
  for (const [status, words] of [
    [400, 'The form could not be read'],
    [403, 'Wrong address'],
    [413, 'The form is too large'],
    [500, 'Something went wrong'],
    [503, 'Something went wrong'],
  ] as const) {
    const answer = renderFailurePage(status, { brand: { name: null } })
    assert.is(answer.status, status)
    assert.match(answer.body, words)
    assert.match(renderFailurePage(status, { brand: { name: 'Rent & Sons' } }).body, 'Rent &amp; Sons')
  }
})

test('error pages show how to continue', async () => {
  const again = /<a class="button" href="">Try again<\/a>/
  for (const status of [400, 413, 429, 500]) {
    assert.match(renderFailurePage(status, { brand: { name: null } }).body, again)
  }
  assert.match(renderFailurePage(429, { brand: { name: null } }).body, 'Nothing was charged by this one.')
  const { body } = await new HostedPages().get('/sessions/none')
  assert.not.match(body, again)
  for (const words of ['Check that the link is complete', 'If this is your test']) assert.match(body, words)
})

test('expired pages link back to the merchant if the session has a safe URL', async () => {
  for (const [return_url, link] of [
    ['https://shop.example/cart?id={PAYMENT_SESSION_ID}', 'https://shop.example/cart?id='],
    ['javascript:alert(1)', null],
  ] as const) {
    const hosted = new HostedPages()
    const session = await hosted.payment({ return_url })
    hosted.now = NOW + DAY
    const { status, body } = await hosted.get(pathOf(session))
    assert.is(status, 410)
    const [, href] = /<a class="button" href="([^"]*)"/.exec(body) ?? []
    assert.is(href, link === null ? undefined : link + session.id)
    assert.is(body.includes('to start again, or ask the sender'), link !== null)
  }
})

test.run()
