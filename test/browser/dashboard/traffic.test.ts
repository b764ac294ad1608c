import { api } from '../../../src/api/api.ts'
import { assert, suite } from '../../support/suite.ts'
import { openWebhookServer, type WebhookServer } from '../../webhooks/webhook-server.ts'
import { checkScreen, useDashboardBrowser } from './dashboard-browser.ts'

const test = suite('dashboard traffic', undefined, 120_000)

const HOSTILE = `<img src=x onerror=alert(1)>"><script>alert(2)</script>\u202E${'x'.repeat(180)}`

/** A parameter that the API does not have. */
const LONG_NAME = `colour_${'x'.repeat(60)}`

/** The console message of the browser about a request that the test aborts. */
const LOST_CONNECTION = { expectedError: /net::ERR_FAILED/ }

const dashboard = useDashboardBrowser(test)
let handler: WebhookServer
/** Whether the handler returns 500. */
let isBroken = true

test.before(async () => {
  handler = await openWebhookServer((_request, response) => {
    response.writeHead(isBroken ? 500 : 200).end(isBroken ? HOSTILE : 'ok')
  })
  const { call } = dashboard.daemon
  await call(api.webhookEndpoints.create, { url: handler.url, enabled_events: ['customer.created'] })
  await call(api.customers.create, { email: 'ada@example.com', name: HOSTILE })
  await handler.waitFor(1)
  await fetch(`${dashboard.daemon.location.api_url}/v1/customers`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${dashboard.daemon.location.api_key}`,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ email: 'no address', [LONG_NAME]: 'red', test_card: '4242424242424242' }),
  })
})

test.after(() => handler?.close())

test('the Live screen shows a request with its event and the response of the handler, and adds new requests', async () => {
  await dashboard.withScreen('', async (page) => {
    assert.is(await page.locator('.connection.good').ariaSnapshot(), '- status: Live')
    const rows = page.locator('.feed li')
    await rows.filter({ hasText: '400' }).filter({ hasText: 'email_invalid' }).waitFor()
    const event = rows.filter({ hasText: 'customer.created' }).filter({ hasText: '500' })
    await event.waitFor()
    await page.getByText('Live', { exact: true }).last().waitFor()
    await dashboard.daemon.call(api.customers.create, { email: 'grace@example.com' })
    await rows.filter({ hasText: 'grace@example.com' }).waitFor()
  })
})

test('the Live screen keeps the filter for failures in the URL, and adds no rows while paused', async () => {
  await dashboard.withScreen('', async (page) => {
    const rows = page.locator('.feed li')
    await rows.filter({ hasText: 'email_invalid' }).waitFor()
    await page.getByLabel('Only failed').check()
    await page.waitForURL(/failed=/)
    await rows.filter({ hasText: 'email_invalid' }).waitFor()
    await page.getByLabel('Only failed').uncheck()
    await page.getByRole('button', { name: 'Pause' }).click()
    await dashboard.daemon.call(api.customers.create, { email: 'joan@example.com' })
    // When another screen shows the event, a screen that is not paused would have shown it too.
    const other = await page.context().newPage()
    await other.goto(page.url())
    await other.locator('.feed li').filter({ hasText: 'joan@example.com' }).waitFor()
    assert.is(await rows.filter({ hasText: 'joan@example.com' }).count(), 0)
    await page.getByRole('button', { name: 'Continue' }).click()
    await rows.filter({ hasText: 'joan@example.com' }).waitFor()
  })
})

test('the Requests screen shows the bodies and all errors of a request, and can be used by keyboard only', async () => {
  await dashboard.withScreen('/requests?status=error', async (page) => {
    const link = page.getByRole('link', { name: 'POST /v1/customers' })
    await link.waitFor()
    await link.focus()
    await page.keyboard.press('Enter')
    const errors = page.getByRole('region', { name: 'Errors' })
    await errors.waitFor()
    assert.match(await errors.innerText(), /email_invalid[\s\S]*Parameter email/)
    assert.match(await errors.innerText(), /parameter_unknown[\s\S]*Parameter colour_x{60}/)
    const reference = errors.getByRole('link', { name: 'email_invalid' })
    assert.is(await reference.getAttribute('href'), '/docs/errors#email_invalid')
    const body = page.getByRole('region', { name: 'Request body' })
    assert.match(await body.innerText(), /"email": "no address"/)
    assert.not.match(await body.innerText(), '4242424242424242')
    const copy = await body.getByRole('button').getAttribute('title')
    assert.match(
      copy ?? '',
      /^curl -g -X POST \S+\/v1\/customers -H "Authorization: Bearer \$PAYCLI_API_KEY" .* -d '/,
    )
    await page.getByRole('region', { name: 'Response body' }).getByText('email_invalid').first().waitFor()
    assert.equal(await checkScreen(page), [])
    await page.goBack()
    await link.waitFor()
  })
})

test('the Requests screen shows the events that a request caused', async () => {
  await dashboard.withScreen('/requests?status=2&method=POST&path=customers', async (page) => {
    await page.getByRole('link', { name: 'POST /v1/customers' }).last().click()
    const events = page.getByRole('region', { name: 'Events' })
    await events.getByText('customer.created').waitFor()
    assert.match(await page.getByRole('region', { name: 'Idempotency key' }).innerText(), /\S{20}/)
  })
})

test('shows the differences from the most similar request and from the request with the same idempotency key', async () => {
  const { api_url, api_key } = dashboard.daemon.location
  const send = async (key: string, name: string, email = 'ada@example.com') => {
    const response = await fetch(`${api_url}/v1/customers`, {
      method: 'POST',
      headers: {
        ...{ Authorization: `Bearer ${api_key}`, 'Content-Type': 'application/json' },
        'Idempotency-Key': key,
      },
      body: JSON.stringify({ email, name }),
    })
    return response.headers.get('Request-Id')
  }
  await send('order 1', 'Ada')
  await send('order 3', 'Eve', 'eve@example.com')
  const other = await send('order 2', 'Grace')
  const rejected = await send('order 1', 'Linus')
  for (const [id, title, before] of [
    [other, 'Compared with a similar request before', 'Ada'],
    [rejected, 'Repeats an idempotency key', 'Ada'],
  ] as const)
    await dashboard.withScreen(`/requests/${id}`, async (page) => {
      const panel = page.getByRole('region', { name: 'Repeated' })
      await panel.getByRole('heading', { name: title }).waitFor()
      const differences = panel.getByRole('region', { name: 'Request differences' })
      assert.match(await differences.innerText(), new RegExp(`^Request\\s+Name\\s+${before}`))
      assert.not.match(await differences.innerText(), /email/i)
      assert.equal(await checkScreen(page), [])
    })
})

test('the Webhooks screen shows the response, the signature and the attempts of a delivery, and resends the delivery', async () => {
  await dashboard.withScreen('/webhooks?status=failed', async (page) => {
    await page
      .getByRole('table', { name: 'Each attempt' })
      .getByRole('link', { name: 'customer.created' })
      .last()
      .click()
    const response = page.getByRole('region', { name: 'Response' })
    await response.waitFor()
    assert.ok((await response.innerText()).includes('<script>alert(2)</script>'))
    const headers = page.getByRole('region', { name: 'Request headers' })
    assert.match(await headers.innerText(), /webhook-signature \(signature\)/i)
    isBroken = false
    const before = handler.received.length
    await page.getByRole('button', { name: 'Resend' }).click()
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('status', { name: 'Result' }).getByRole('link', { name: 'whd_' }).waitFor()
    await handler.waitFor(before + 1)
    await page.getByRole('region', { name: 'Attempts' }).getByText('resent').waitFor()
  })
})

test('the Webhooks screen counts all failures of an endpoint, regardless of the filter of the list', async () => {
  await dashboard.withScreen('/webhooks?status=succeeded', async (page) => {
    const { call } = dashboard.daemon
    const [endpoint] = (await call(api.webhookEndpoints.list, {})).data
    const ofEndpoint = { webhook_endpoint: endpoint?.id ?? '', limit: 100 }
    const countOf = async (status: 'failed' | 'succeeded') =>
      (await call(api.webhookDeliveries.list, { ...ofEndpoint, status })).data.length
    const [failed, succeeded] = [await countOf('failed'), await countOf('succeeded')]
    assert.ok(failed > 0)
    await page.getByRole('link', { name: `${failed} of ${failed + succeeded} attempts since` }).click()
    await page.getByText(`${failed} attempt`).first().waitFor()
    assert.match(page.url(), /status=failed/)
  })
})

test('the Webhooks screen shows failed attempts first, resends all missed events, and shows the result', async () => {
  isBroken = true
  const before = handler.received.length
  await dashboard.daemon.call(api.customers.create, { email: 'mary@example.com' })
  await handler.waitFor(before + 1)
  isBroken = false
  await dashboard.withScreen(
    '/webhooks',
    async (page) => {
      const failed = page.getByRole('table', { name: 'Newest failed attempts' })
      await failed.getByText('500').first().waitFor()
      assert.is(await failed.getByText('pending').count(), 0)
      await page.getByRole('button', { name: 'Resend all missed events' }).click()
      const progress = page.getByText(/Resent [1-9]\d* events?\./)
      await progress.waitFor()
      await page.route(/\/recover$/, (route) => route.abort())
      await page.getByRole('button', { name: 'Resend all missed events' }).click()
      await page.getByText('The server does not respond.').first().waitFor()
      assert.is(await progress.count(), 0)
    },
    LOST_CONNECTION,
  )
})

test('sends one recovery request for an endpoint that still fails, and reports that more events are missed', async () => {
  const { data } = await dashboard.daemon.call(api.webhookEndpoints.list, { limit: 1 })
  await dashboard.withScreen(`/webhooks?endpoint=${data[0]?.id}`, async (page) => {
    let sent = 0
    await page.route(/\/recover$/, (route) => {
      sent += 1
      return route.fulfill({ json: { resent: 1000, has_more: sent < 3 } })
    })
    await page.getByRole('button', { name: 'Resend all missed events' }).click()
    await page.getByText('Resent 1,000 events. More events are missed.').waitFor()
    assert.is(sent, 1)
  })
})

test('the screen of a customer shows failed and missing deliveries first, and replayed and rejected requests', async () => {
  isBroken = true
  const { call, location } = dashboard.daemon
  const { id } = await call(api.customers.create, { email: 'ruth@example.com' })
  const send = async (path: string, body: object, key: string) => {
    const headers = { Authorization: `Bearer ${location.api_key}`, 'Content-Type': 'application/json' }
    const init = {
      method: 'POST',
      headers: { ...headers, 'Idempotency-Key': key },
      body: JSON.stringify(body),
    }
    return (await fetch(`${location.api_url}${path}`, init)).status
  }
  for (const status of [200, 200])
    assert.is(await send(`/v1/customers/${id}`, { name: 'Ruth' }, 'rename'), status)
  assert.is(await send('/v1/payments', { customer: id, amount: 0, currency: 'eur' }, 'pay'), 400)
  await dashboard.withScreen(`/objects/${id}`, async (page) => {
    const failed = page.getByRole('region', { name: 'Failed deliveries' })
    await failed.getByText('500').waitFor()
    assert.match(await failed.innerText(), /^2 events .* deliveries\s+customer\.created.*customer\.updated/s)
    for (const text of ['but not this event', handler.url.slice(7), HOSTILE.slice(0, 20)])
      assert.match(await failed.innerText(), text)
    const requests = page.getByRole('region', { name: 'Requests', exact: true })
    await requests.getByText('replay').waitFor()
    await requests.getByText('amount_too_small').waitFor()
    assert.is(await requests.getByRole('row').count(), 5)
    assert.equal(await checkScreen(page), [])
  })
})

test('the screens of an event and of its request, and Live, show that the event has no delivery', async () => {
  const { data } = await dashboard.daemon.call(api.events.list, { type: 'customer.updated' })
  for (const path of [
    `/objects/${data[0]?.id}`,
    `/requests/${data[0]?.request?.id}`,
    '/live?text=customer.updated',
  ])
    await dashboard.withScreen(path, async (page) => {
      await page.getByText(/no delivery|but not this event/i).waitFor()
      assert.equal(await checkScreen(page), [])
    })
})

test('lists the deliveries of an endpoint and of an event', async () => {
  const { data } = await dashboard.daemon.call(api.webhookDeliveries.list, { limit: 1 })
  for (const id of [data[0]?.webhook_endpoint, data[0]?.event]) {
    await dashboard.withScreen(`/objects/${id}`, async (page) => {
      await page.getByRole('region', { name: /^(?:Webhook d|D)eliveries$/ }).waitFor()
    })
  }
})

for (const path of ['', '/requests', '/webhooks']) {
  test(`${path || 'live'} with hostile texts has no layout or accessibility problems`, async () => {
    await dashboard.withScreen(path, async (page) => {
      await page.locator('.feed li, [aria-label^="Each"] tr').first().waitFor()
      assert.equal(await checkScreen(page), [])
    })
  })
}

test('the Live screen shows the results of three endpoints without layout or accessibility problems', async () => {
  const { call } = dashboard.daemon
  for (const path of ['/second', '/third'])
    await call(api.webhookEndpoints.create, { url: handler.url + path, enabled_events: ['customer.created'] })
  isBroken = true
  await call(api.customers.create, { email: `${'long.address.'.repeat(4)}@subdomain.example.com` })
  await dashboard.withScreen('', async (page) => {
    await page.getByText('+1 endpoint').waitFor()
    assert.equal(await checkScreen(page), [])
  })
})

test('the delivery with a hostile response has no layout or accessibility problems', async () => {
  const { data } = await dashboard.daemon.call(api.webhookDeliveries.list, { status: 'failed' })
  await dashboard.withScreen(`/webhooks/${data.at(-1)?.id}`, async (page) => {
    await page.getByRole('region', { name: 'Response' }).waitFor()
    assert.equal(await checkScreen(page), [])
  })
})

test.run()
