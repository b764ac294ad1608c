import type { Page } from 'playwright-core'
import { api } from '../../../src/api/api.ts'
import { writeLastGrade } from '../../../src/daemon/last-grade.ts'
import { HOSTILE } from '../../pages/hostile.ts'
import { assert, suite } from '../../support/suite.ts'
import { isFullRun } from '../../support/test-level.ts'
import { openWebhookServer, type WebhookServer } from '../../webhooks/webhook-server.ts'
import { becomesTrue, FITS, useDashboardBrowser } from './dashboard-browser.ts'

const test = suite('dashboard hostile', undefined, 120_000)

const BATCH = 16
const BATCHES = Array.from({ length: Math.ceil(HOSTILE.length / BATCH) }, (_, n) =>
  HOSTILE.slice(n * BATCH, (n + 1) * BATCH),
)
/**
 * Returns whether a screen shows a batch. Each screen shows one batch, because it shows all strings in the same way. A
 * full run shows every batch on each screen.
 */
const isTurnOf = (batch: number, screen: number) => isFullRun() || screen % BATCHES.length === batch
/** A viewport in which the dashboard draws every row of a list. */
const TALL = { viewport: { width: 1280, height: 12_000 } }
const PHONE = { viewport: { width: 390, height: 844 } }
/** The console message of the browser about an id that does not exist. */
const NOT_FOUND = { expectedError: /status of (400|404)/ }

/** The objects that contain one batch of hostile strings. */
interface HostileObjects {
  readonly clock: string
  /** Paths of the screens that show the strings. */
  readonly screens: readonly string[]
}

const LISTS = ['', '/payments', '/customers', '/clocks', '/webhooks', '/requests', '/scenes']

const dashboard = useDashboardBrowser(test)
let handler: WebhookServer
let answer = ''
const objects: HostileObjects[] = []

test.before(async () => {
  handler = await openWebhookServer((_request, response) => response.writeHead(500).end(answer))
  await createLists()
  await dashboard.daemon.call(api.webhookEndpoints.create, {
    ...{ url: `${handler.url}?"><script>window.pwned=1</script>`, enabled_events: ['invoice.paid'] },
    description: HOSTILE[1] ?? '',
  })
  for (const texts of BATCHES) objects.push(await createObjects(texts))
})

test.after(() => handler?.close())

/** Creates a customer, a clock, a payment and a failed request with each string. */
async function createLists(): Promise<void> {
  const { call, location } = dashboard.daemon
  const payer = await call(api.customers.create, { email: 'payer@example.com' })
  const session = await call(api.paymentSessions.create, {
    ...{ customer: payer.id, amount: 1250, currency: 'eur', save_payment_method: true },
    ...{ payment_method_types: ['card'], return_url: 'https://example.com' },
  })
  await call(api.paymentSessions.complete, { id: session.id, test_card: 'visa' })
  for (const [n, text] of HOSTILE.entries()) {
    await call(api.customers.create, { email: `n${n}@example.com`, name: text })
    await call(api.testClocks.create, { frozen_time: 1_767_225_600, name: text })
    await call(api.payments.create, {
      ...{ customer: payer.id, amount: 1000 + n, currency: 'eur', description: text },
    })
    await fetch(`${location.api_url}/v1/customers?q=${encodeURIComponent(text)}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${location.api_key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: text, [text]: text }),
    })
  }
}

/** Creates objects of every kind that contain all strings, on a test clock. */
async function createObjects(texts: readonly string[]): Promise<HostileObjects> {
  const { call } = dashboard.daemon
  answer = texts.join('\n')
  const clock = (await call(api.testClocks.create, { frozen_time: 1_767_225_600, name: texts[0] ?? '' })).id
  const metadata = Object.fromEntries(texts.map((text, n) => [`key_${n}`, text]))
  const customer = (
    await call(api.customers.create, {
      ...{ email: 'ada@example.com', name: texts[1] ?? '', test_clock: clock, metadata },
    })
  ).id
  const session = await call(api.checkoutSessions.create, {
    ...{ customer, currency: 'eur', description: texts.join(' ').slice(0, 500), metadata },
    subscription_data: {
      interval: 'month',
      items: texts.map((description) => ({ description, type: 'plan', price_data: { amount: 500 } })),
    },
  })
  const received = handler.received.length
  await call(api.checkoutSessions.complete, { id: session.id, test_card: 'visa' })
  await handler.waitFor(received + 1)
  const [subscription, invoice, payment, event] = await Promise.all([
    call(api.subscriptions.list, { customer }),
    call(api.invoices.list, { customer }),
    call(api.payments.list, { customer }),
    call(api.events.list, { test_clock: clock, type: 'customer.created' }),
  ]).then((lists) => lists.map(({ data: [first] }) => first?.id ?? ''))
  const delivery = (await call(api.webhookDeliveries.list, { status: 'failed' })).data[0]?.id
  const errors = await call(api.requestLogs.list, { path: '/v1/customers', status: { gte: 400 } })
  const ids = [clock, customer, session.id, subscription, invoice, payment, event]
  return {
    clock,
    screens: [
      ...ids.map((id) => `/objects/${id}`),
      `/requests/${errors.data[0]?.id}`,
      `/webhooks/${delivery}`,
    ],
  }
}

const origin = () => `${dashboard.daemon.location.api_url}/dashboard`

async function assertHarmless(page: Page): Promise<void> {
  assert.is(await page.evaluate('window.pwned'), undefined)
  assert.ok(await becomesTrue(page, FITS), 'scrolls sideways')
}

/** Waits until the page contains every string. */
async function findTexts(page: Page, texts: readonly string[]): Promise<void> {
  const missing = `${JSON.stringify(texts)}.filter((text) => !document.body.textContent.includes(text))`
  // The assertion after the wait prints the missing strings.
  await becomesTrue(page, `${missing}.length === 0`)
  assert.equal(await page.evaluate(missing), [])
}

for (const path of ['/payments', '/customers', '/clocks']) {
  test(`${path} shows every hostile text as text`, () =>
    dashboard.withScreen(
      // Without the parameter, the screen shows the clock of the newest payment.
      path === '/payments' ? '/payments?test_clock=none' : path,
      async (page) => {
        // The first page of payments has those on clocks, so the screen reads the second page without a click.
        if (path !== '/payments') await page.getByRole('button', { name: /^(Show more|Load older)/ }).click()
        await findTexts(page, HOSTILE)
        await assertHarmless(page)
      },
      TALL,
    ))
}

test('the live, webhooks, requests and scenes screens run no scripts of hostile objects', () =>
  dashboard.withScreen(
    '',
    async (page) => {
      for (const path of ['', '/webhooks', '/requests', '/scenes']) {
        await page.goto(`${origin()}${path}`)
        await page.locator('.feed li, [aria-label^="Each"] tr, .scene-row').first().waitFor()
        await assertHarmless(page)
      }
    },
    TALL,
  ))

for (const [batch, texts] of BATCHES.entries()) {
  test(`shows objects, deliveries and requests with hostile texts as text, batch ${batch + 1}`, () =>
    dashboard.withScreen(
      '/objects',
      async (page) => {
        const { screens = [] } = objects[batch] ?? {}
        for (const [index, path] of screens.entries()) {
          const isLast = index === screens.length - 1
          if (!isLast && !isTurnOf(batch, index)) continue
          await page.goto(`${origin()}${path}`)
          await page.locator('main .panel').first().waitFor()
          await assertHarmless(page)
        }
        // The last screen shows a delivery, whose response contains all strings.
        await findTexts(page, texts)
      },
      PHONE,
    ))

  test(`search, filters and paths with hostile texts run no scripts, batch ${batch + 1}`, () =>
    dashboard.withScreen(
      '/scenes',
      async (page) => {
        for (const text of texts) {
          await page.getByRole('combobox').fill(text)
          await assertHarmless(page)
        }
        const all = encodeURIComponent(texts.join(' '))
        for (const [index, path] of [...LISTS, `/objects/${all}`, `/clocks/${all}`].entries()) {
          if (!isTurnOf(batch, index)) continue
          await page.goto(
            `${origin()}${path}?q=${all}&status=${all}&customer=${all}&path=${all}&event=${all}`,
          )
          await page.locator('h1').first().waitFor()
          await assertHarmless(page)
        }
      },
      { ...PHONE, ...NOT_FOUND },
    ))
}

test('the report of paycli grade shows hostile strings as text', async () => {
  for (const [batch, texts] of BATCHES.entries()) {
    if (!isTurnOf(batch, 0)) continue
    const [problem = '', fix = ''] = texts
    const finding = { id: problem, severity: problem, problem, evidence: texts, fix }
    const graded = { class: problem, title: problem, state: fix, checks: 1, notes: texts, repeat: fix }
    const classes = [{ ...graded, findings: [finding] }]
    const report = { object: 'grade', created: 0, folder: problem, repeat: fix, classes }
    await writeLastGrade(dashboard.daemon.home, report, () => 'test')
    await dashboard.withScreen('/grade', async (page) => {
      await page.getByRole('heading', { name: 'Notes' }).waitFor()
      await findTexts(page, texts.slice(0, 2))
      await assertHarmless(page)
    })
  }
})

test('the clock lab shows hostile strings as text', () =>
  dashboard.withScreen('/clocks', async (page) => {
    for (const [batch, texts] of BATCHES.entries()) {
      if (!isTurnOf(batch, 0)) continue
      await page.goto(`${origin()}/clocks/${objects[batch]?.clock}`)
      await page.getByRole('slider').waitFor()
      await page.locator('.mark .shape-projected').first().waitFor()
      await findTexts(page, texts.slice(0, 1))
      await assertHarmless(page)
    }
  }))

test.run()
