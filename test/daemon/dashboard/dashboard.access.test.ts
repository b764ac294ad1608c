import { createHmac } from 'node:crypto'
import { customers } from '../../../src/api/operations/customers.ts'
import { openDaemon, type TestDaemon } from '../../support/daemon.ts'
import { createLogin, NAVIGATION, type SignedInBrowser, signIn } from '../../support/dashboard.ts'
import { errorIn, sendRequest } from '../../support/raw-http.ts'
import { assert, suite } from '../../support/suite.ts'
import { createKeyedSandbox, type KeyedSandbox, SCENES, send } from './dashboard-requests.ts'

const test = suite('daemon/dashboard/dashboard access')

let daemon: TestDaemon
let own: KeyedSandbox
let other: KeyedSandbox

test.before(async () => {
  daemon = await openDaemon({ createScenes: () => SCENES })
  own = await createKeyedSandbox(daemon, 'own')
  other = await createKeyedSandbox(daemon, 'other')
})

test.after(() => daemon?.stop())

test('a key of a sandbox signs in to that sandbox only', async () => {
  const { id } = await own.client.call(customers.create, { email: 'ada@example.com' })
  const { headers } = await signIn(daemon, await createLogin(daemon, own.key))
  const found = await send(daemon, `/dashboard/${own.id}/v1/customers/${id}`, headers)
  assert.is(JSON.parse(found.text).id, id)
  for (const at of ['default', other.id, 'sbx_000000000000000000000000']) {
    const response = await send(daemon, `/dashboard/${at}/v1/customers`, headers)
    assert.equal([response.status, errorIn(response)['code']], [403, 'sandbox_key_not_allowed'], at)
    assert.match(String(errorIn(response)['message']), own.id)
  }
})

test('a key of the default sandbox signs in to every sandbox', async () => {
  const { headers } = await signIn(daemon)
  for (const at of ['default', own.id, other.id]) {
    assert.is((await send(daemon, `/dashboard/${at}/v1/customers`, headers)).status, 200)
    const run = await send(daemon, `/dashboard/${at}/scenes/customer.created/run`, headers, 'POST')
    assert.equal(JSON.parse(run.text), { type: 'customer.created', sandbox: at })
  }
})

test('a session stays valid after a request for an unknown sandbox, which returns 404', async () => {
  const { headers } = await signIn(daemon)
  for (const name of ['sbx_000000000000000000000000', 'x']) {
    const response = await send(daemon, `/dashboard/${name}/v1/customers`, headers)
    assert.equal([response.status, errorIn(response)['code']], [404, 'resource_missing'], name)
  }
})

test('screens open in the sandbox of the session', async () => {
  const bound = (await signIn(daemon, await createLogin(daemon, own.key))).headers
  const free = (await signIn(daemon)).headers
  const page = (path: string, headers: SignedInBrowser['headers']) =>
    send(daemon, path, { ...NAVIGATION, ...headers })
  for (const [path, target] of [
    ['/dashboard', `/dashboard?sandbox=${own.id}`],
    [`/dashboard/payments?status=failed`, `/dashboard/payments?status=failed&sandbox=${own.id}`],
    [`/dashboard?sandbox=${other.id}`, `/dashboard?sandbox=${own.id}`],
    [`/dashboard?sandbox=${other.id}&sandbox=${own.id}`, `/dashboard?sandbox=${own.id}`],
    ['/dashboard?sandbox=default', `/dashboard?sandbox=${own.id}`],
  ] as const) {
    const { status, headers } = await page(path, bound)
    assert.equal([status, headers['location']], [302, target], path)
  }
  const { text } = await page(`/dashboard?sandbox=${own.id}`, bound)
  assert.match(text, `<meta name="sandbox" content="${own.id}">`)
  for (const path of ['/dashboard', `/dashboard?sandbox=${own.id}`, '/dashboard?q=%22&x=a+b'])
    assert.match((await page(path, free)).text, '<meta name="sandbox" content="default">')
  for (const sandbox of ['..%2F..%2Fv1', 'x', 'sbx_1', '', '%22%3E'])
    assert.is(
      (await page(`/dashboard/live?sandbox=${sandbox}&a=1`, free)).headers['location'],
      '/dashboard/live?a=1',
    )
})

test('signs in to the sandbox in the URL, and the page repeats no other part of the URL', async () => {
  const open = async (query: string) => {
    const url = `${await createLogin(daemon)}${query}`
    return (await sendRequest(url, { headers: NAVIGATION })).headers['refresh']
  }
  assert.is(await open(''), '0; url=/dashboard')
  assert.is(await open(`&sandbox=${own.id}`), `0; url=/dashboard?sandbox=${own.id}`)
  for (const sandbox of ['../v1', '"><script>', 'x', '//evil.test'])
    assert.is(await open(`&sandbox=${encodeURIComponent(sandbox)}`), '0; url=/dashboard')
  const bound = `${await createLogin(daemon, own.key)}&sandbox=${other.id}`
  const { headers } = await sendRequest(bound, { headers: NAVIGATION })
  assert.is(headers['refresh'], `0; url=/dashboard?sandbox=${own.id}`)
})

test('rejects cookies that are derived from an API key', async () => {
  const { api_key } = daemon.location
  const name = `paycli_dashboard_${new URL(daemon.location.api_url).port}`
  const text = `${'A'.repeat(24)}.9999999999`
  // Version 0.1.0 signed its cookies in this way.
  const signature = createHmac('sha256', api_key).update(`dashboard session ${text}`).digest('base64url')
  for (const cookie of [`${text}.${signature}`, `default.${'A'.repeat(24)}.${api_key}`, api_key])
    assert.is((await send(daemon, '/dashboard', { Cookie: `${name}=${cookie}` })).status, 401)
})

/** Requests that do not use up a one-time address. */
const PREVIEWS: readonly (readonly [
  what: string,
  method: string,
  headers: Readonly<Record<string, string>>,
])[] = [
  ['a HEAD request of a browser', 'HEAD', NAVIGATION],
  ['a HEAD request', 'HEAD', {}],
  ['a program without Sec-Fetch headers', 'GET', { 'User-Agent': 'Slackbot-LinkExpanding 1.0' }],
  ['a script', 'GET', { ...NAVIGATION, 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty' }],
  ['a frame', 'GET', { ...NAVIGATION, 'Sec-Fetch-Dest': 'iframe' }],
  ['an image', 'GET', { ...NAVIGATION, 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' }],
  ['a link of another site', 'GET', { ...NAVIGATION, 'Sec-Fetch-Site': 'cross-site' }],
  ['a link of another host of the site', 'GET', { ...NAVIGATION, 'Sec-Fetch-Site': 'same-site' }],
  ['a prefetch', 'GET', { ...NAVIGATION, 'Sec-Purpose': 'prefetch' }],
  ['a prerender', 'GET', { ...NAVIGATION, 'Sec-Purpose': 'prefetch;prerender' }],
  ['a preview', 'GET', { ...NAVIGATION, Purpose: 'preview' }],
  ['a prefetch of an older browser', 'GET', { ...NAVIGATION, 'X-Moz': 'prefetch' }],
]

for (const [what, method, headers] of PREVIEWS) {
  test(`${what} does not use up the address`, async () => {
    const url = `${await createLogin(daemon)}&sandbox=${own.id}`
    const preview = await sendRequest(url, { method, headers })
    assert.equal(
      [preview.status, preview.headers['set-cookie'], preview.headers['refresh']],
      [200, undefined, undefined],
    )
    if (method === 'GET') {
      const [, link = ''] = /<a href="([^"]+)">Open the dashboard/.exec(preview.text) ?? []
      assert.is(daemon.location.api_url + link.replaceAll('&amp;', '&'), url)
    }
    const opened = await sendRequest(url, { headers: { ...NAVIGATION, 'Sec-Fetch-Site': 'same-origin' } })
    assert.is(opened.headers['refresh'], `0; url=/dashboard?sandbox=${own.id}`)
  })
}

test('no page contains a malformed token', async () => {
  for (const token of ['%22%3E%3Cscript%3E', 'x', 'A'.repeat(25)]) {
    const { status, text } = await sendRequest(`${daemon.location.api_url}/dashboard?login=${token}`)
    assert.is(status, 401)
    assert.not.match(text, /[?&]login=[A%]|<script/)
  }
})

test.run()
