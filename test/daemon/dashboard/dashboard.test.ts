import { operations } from '../../../src/api/api.ts'
import { apiKeys } from '../../../src/api/operations/api-keys.ts'
import { webhookEndpoints } from '../../../src/api/operations/webhook-endpoints.ts'
import { DASHBOARD_OPERATIONS } from '../../../src/daemon/dashboard/dashboard-operations.ts'
import { openDaemon, type TestDaemon } from '../../support/daemon.ts'
import { NAVIGATION, signIn } from '../../support/dashboard.ts'
import { errorIn, sendRequest } from '../../support/raw-http.ts'
import { assert, suite } from '../../support/suite.ts'
import { createKeyedSandbox, SCENES, send, sendChange } from './dashboard-requests.ts'

const test = suite('daemon/dashboard/dashboard')

/** The routes that receive requests from other pages. */
const ROUTES = [
  ['GET', '/dashboard/default/v1/customers'],
  ['GET', '/dashboard/default/v1/stream'],
  ['POST', '/dashboard/default/v1/events/evt_1/resend'],
  ['GET', '/dashboard/default/request_bodies?object_id=cus_1'],
  ['GET', '/dashboard/default/scenes'],
  ['POST', '/dashboard/default/scenes/customer.created/run'],
  ['POST', '/dashboard/default/sessions/current/end'],
] as const

let daemon: TestDaemon
let plain: TestDaemon
/** There is one daemon per route, because each daemon limits rejected requests to a burst of 40 per address. */
let rejecting: TestDaemon[]

test.before(async () => {
  daemon = await openDaemon({ createScenes: () => SCENES })
  plain = await openDaemon()
  rejecting = await Promise.all(ROUTES.map(() => openDaemon({ createScenes: () => SCENES })))
})

test.after(async () => {
  await Promise.all([daemon, plain, ...(rejecting ?? [])].map((one) => one?.stop()))
})

test('a server without a dashboard returns 404 for dashboard paths and creates no one-time address', async () => {
  assert.is(plain.newDashboardUrl, null)
  for (const path of ['/dashboard', '/dashboard/payments', '/dashboard/default/v1/events'])
    assert.is((await sendRequest(`${plain.location.api_url}${path}`)).status, 404)
})

test('a one-time address sets a cookie that scripts and other sites cannot use', async () => {
  const url = daemon.newDashboardUrl?.() ?? ''
  const { status, headers, text } = await sendRequest(url, { headers: NAVIGATION })
  assert.is(status, 200)
  assert.is(headers['refresh'], '0; url=/dashboard')
  const [cookie = '', ...attributes] = (headers['set-cookie'] ?? '').split('; ')
  assert.match(cookie, new RegExp(`^paycli_dashboard_${new URL(url).port}=`))
  assert.equal(attributes.filter((one) => !one.startsWith('expires')).sort(), [
    'httponly',
    'path=/dashboard',
    'samesite=strict',
  ])
  assert.not.match(text, daemon.location.api_key)
  const again = await sendRequest(url, { headers: NAVIGATION })
  assert.is(again.status, 401)
  assert.is(again.headers['set-cookie'], undefined)
})

test('behind a proxy with HTTPS, the cookie is secure', async () => {
  const apiUrl = 'https://staging.example.test'
  const proxied = await openDaemon({ createScenes: () => SCENES, apiUrl })
  try {
    const url = proxied.newDashboardUrl?.() ?? ''
    assert.ok(url.startsWith(`${apiUrl}/dashboard?login=`))
    const { status, headers } = await sendRequest(url.replace(apiUrl, proxied.location.api_url), {
      headers: { ...NAVIGATION, Host: new URL(apiUrl).host },
    })
    assert.is(status, 200)
    assert.match(headers['set-cookie'] ?? '', /; secure/)
  } finally {
    await proxied.stop()
  }
})

test('a browser that is not signed in gets a page that shows how to sign in', async () => {
  const { status, text } = await sendRequest(`${daemon.location.api_url}/dashboard/payments`)
  assert.is(status, 401)
  assert.match(text, 'paycli open dashboard')
})

test('the Content-Security-Policy of a page allows only its own script, and requires Trusted Types', async () => {
  const { cookie } = await signIn(daemon)
  const { headers } = await send(daemon, '/dashboard/clocks/clock_1', { Cookie: cookie })
  const policy = headers['content-security-policy'] ?? ''
  for (const directive of [
    "default-src 'none'",
    "script-src 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ])
    assert.ok(policy.includes(directive), directive)
  assert.not.match(policy, 'unsafe')
  assert.is(headers['cache-control'], 'no-store')
})

/** Changes of the headers of a request; undefined removes a header. */
const FOREIGN: readonly (readonly [
  why: string,
  changes: Readonly<Record<string, string | undefined>>,
  status: number,
])[] = [
  ['without cookie', { Cookie: undefined }, 401],
  ['with the cookie of another server', { Cookie: 'paycli_dashboard_1=x' }, 401],
  ['without CSRF token', { 'Paycli-Csrf-Token': undefined }, 403],
  ['with another CSRF token', { 'Paycli-Csrf-Token': 'a'.repeat(43) }, 403],
  ['without Sec-Fetch-Site', { 'Sec-Fetch-Site': undefined }, 403],
  ['by a page of the same site', { 'Sec-Fetch-Site': 'same-site' }, 403],
  ['by a page of another site', { 'Sec-Fetch-Site': 'cross-site' }, 403],
  ['by a link or the address bar', { 'Sec-Fetch-Site': 'none' }, 403],
  ['with a foreign Origin', { Origin: 'https://evil.test' }, 403],
  ['with the Origin null', { Origin: 'null' }, 403],
  ['with a rebound Host', { Host: 'evil.test' }, 403],
  ['with an API key in place of the cookie', { Cookie: undefined, Authorization: 'Bearer KEY' }, 401],
]

for (const [why, changes, status] of FOREIGN) {
  for (const [index, [method, path]] of ROUTES.entries()) {
    test(`rejects ${method} ${path} ${why}`, async () => {
      const at = rejecting[index] ?? daemon
      const signedIn = await signIn(at)
      const headers = Object.fromEntries(
        Object.entries({ ...signedIn.headers, ...changes }).filter(([, value]) => value !== undefined),
      ) as Record<string, string>
      if (headers['Authorization']) headers['Authorization'] = `Bearer ${at.location.api_key}`
      const response = await send(at, path, headers, method)
      assert.is(response.status, status)
      assert.not.match(response.text, 'evil')
    })
  }
}

test('accepts only the operations and parameters of the buttons on screens', () => {
  const changing = DASHBOARD_OPERATIONS.filter(({ operation }) => operation.kind !== 'lookup')
  assert.equal(changing.map(({ operation, params }) => [operation.path, ...params].join(' ')).sort(), [
    '/v1/disputes/:id evidence',
    '/v1/disputes/:id/close',
    '/v1/events/:id/resend webhook_endpoint',
    '/v1/invoices/:id/pay',
    '/v1/invoices/:id/void',
    '/v1/payments/:id/cancel',
    '/v1/payments/:id/capture amount',
    '/v1/refunds payment amount',
    '/v1/subscriptions/:id cancel_at_period_end items.id items.quantity trial_end',
    '/v1/subscriptions/:id/cancel',
    '/v1/subscriptions/:id/preview items.id items.quantity trial_end',
    '/v1/subscriptions/:id/resume',
    '/v1/test_helpers/payments/:id/dispute reason amount',
    '/v1/test_helpers/test_clocks/:id/advance frozen_time by',
    '/v1/webhook_endpoints/:id status',
    '/v1/webhook_endpoints/:id/recover since',
  ])
})

test('rejects parameters that no button sends, such as the URL of an endpoint', async () => {
  const { headers } = await signIn(daemon)
  const url = 'http://127.0.0.1:9/hook'
  const { id } = await daemon.call(webhookEndpoints.create, { url, enabled_events: ['*'] })
  const path = `/dashboard/default/v1/webhook_endpoints/${id}`
  for (const body of [{ url: 'http://127.0.0.1:9/evil' }, { status: 'disabled', enabled_events: ['*'] }]) {
    const response = await sendChange(daemon, path, headers, body)
    assert.equal([response.status, errorIn(response).code], [400, 'parameter_unknown'])
  }
  const { text } = await sendChange(daemon, path, headers, { status: 'disabled' })
  const { status, url: kept } = JSON.parse(text)
  assert.equal([status, kept], ['disabled', url])
  assert.not.match(text, 'whsec_')
})

test('changes only the quantity of an item of a subscription', async () => {
  const { headers } = await signIn(daemon)
  for (const path of ['', '/preview'])
    for (const items of [[{ price_data: { amount: 1 } }], [{ id: 'si_1', deleted: true }], { id: 'si_1' }]) {
      const at = `/dashboard/default/v1/subscriptions/sub_000000000000000000000001${path}`
      const response = await sendChange(daemon, at, headers, { items })
      assert.equal([response.status, errorIn(response).code], [400, 'parameter_unknown'])
    }
})

test('shows masked bodies of the newest requests to signed-in browsers only', async () => {
  const { headers } = await signIn(daemon)
  const card = { number: '4242424242424242', exp_month: 1, exp_year: 2050, cvc: '9870987' }
  const response = await fetch(`${daemon.location.api_url}/v1/customers?a=1`, {
    method: 'POST',
    headers: {
      ...{ Authorization: `Bearer ${daemon.location.api_key}`, 'Content-Type': 'application/json' },
      'Idempotency-Key': 'order 7',
    },
    body: JSON.stringify({ card, name: daemon.location.api_key }).replace('cvc', 'c\\u0076c'),
  })
  const sent = await response.text()
  const id = response.headers.get('Request-Id')
  const { text } = await send(daemon, `/dashboard/default/request_bodies/${id}`, headers)
  const { data } = JSON.parse(text)
  assert.equal([data.query, data.idempotency_key, data.response], ['a=1', 'order 7', sent])
  assert.match(data.request, '"cvc":"…"')
  assert.match(data.request, 'paysk_test_…')
  for (const secret of [card.number, card.cvc, daemon.location.api_key]) assert.not.ok(text.includes(secret))
  const log = await send(daemon, `/dashboard/default/v1/request_logs/${id}`, headers)
  assert.not.match(log.text, 'cvc')
})

test('masks secrets in the bodies of successful responses, and shows bodies only in the sandbox of the request', async () => {
  const { headers } = await signIn(daemon)
  const { id: sandbox, key } = await createKeyedSandbox(daemon, 'bodies')
  const response = await fetch(`${daemon.location.api_url}/v1/webhook_endpoints`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ url: 'http://127.0.0.1:9/hook', enabled_events: ['*'] }),
  })
  const { secret, ...endpoint } = JSON.parse(await response.text())
  const read = async (place: string) => {
    const path = `/dashboard/${place}/request_bodies/${response.headers.get('Request-Id')}`
    return JSON.parse((await send(daemon, path, headers)).text).data
  }
  assert.equal(JSON.parse((await read(sandbox)).response), { ...endpoint, secret: 'whsec_…' })
  assert.ok(secret.length > 20)
  assert.is(await read('default'), null)
})

test('stores no bodies with --no-log-bodies, and never the body of a request without a valid key', async () => {
  const off = await openDaemon({ createScenes: () => SCENES, keepsBodies: false })
  try {
    for (const [at, key] of [
      [off, off.location.api_key],
      [daemon, 'paysk_test_unknown'],
    ] as const) {
      const { headers } = await signIn(at)
      const response = await fetch(`${at.location.api_url}/v1/customers`, {
        headers: { Authorization: `Bearer ${key}` },
      })
      const path = `/dashboard/default/request_bodies/${response.headers.get('Request-Id')}`
      assert.is(JSON.parse((await send(at, path, headers)).text).data, null)
    }
  } finally {
    await off.stop()
  }
})

test('operations that no screen uses have no route', async () => {
  const { headers } = await signIn(daemon)
  const allowed = DASHBOARD_OPERATIONS.map(({ operation }) => operation)
  const others = operations.filter(({ operation }) => !allowed.includes(operation))
  assert.ok(others.length >= 40)
  for (const { operation } of others) {
    const path = `/dashboard/default${operation.path.replace(':id', 'x')}`
    const { status } = await send(daemon, path, headers, operation.method)
    assert.ok([404, 405].includes(status), `${operation.method} ${path}: ${status}`)
  }
})

test('no list contains a key or a secret', async () => {
  const { headers } = await signIn(daemon)
  const { secret } = await daemon.call(apiKeys.create, { name: 'staging' })
  const endpoint = await daemon.call(webhookEndpoints.create, {
    url: 'http://127.0.0.1:9/hook',
    enabled_events: ['*'],
  })
  const secrets = [secret, endpoint.secret, daemon.location.api_key, daemon.location.webhook_secret]
  const lists = DASHBOARD_OPERATIONS.map(({ operation }) => operation).filter(
    ({ method, path }) => method === 'GET' && !path.includes(':id'),
  )
  assert.ok(lists.length >= 12)
  for (const { path } of lists) {
    const { text } = await send(daemon, `/dashboard/default${path}`, headers)
    for (const one of secrets) assert.not.ok(text.includes(one), path)
  }
})

test('the stream of the dashboard contains no webhook secret and forwards no deliveries', async () => {
  const { headers } = await signIn(daemon)
  const controller = new AbortController()
  const url = `${daemon.location.api_url}/dashboard/default/v1/stream`
  const { body } = await fetch(url, { headers, signal: controller.signal })
  assert.ok(body)
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (!text.includes('event: ready')) text += (await reader.read()).value ?? ''
  controller.abort()
  assert.match(text, '"webhook_secret":null')
  const forward = encodeURIComponent('*=http://127.0.0.1:9/hook')
  assert.is((await send(daemon, `/dashboard/default/v1/stream?forward[]=${forward}`, headers)).status, 403)
})

test('an expired session returns 401 with the command that signs in again', async () => {
  const { headers } = await signIn(daemon)
  daemon.clock.move(24 * 3600)
  const response = await send(daemon, '/dashboard/default/v1/customers', headers)
  assert.is(response.status, 401)
  assert.match(String(errorIn(response).message), 'paycli open dashboard')
})

test.run()
