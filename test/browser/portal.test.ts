import type { Browser, Page } from 'playwright-core'
import { api } from '../../src/api/api.ts'
import type { PortalSession } from '../../src/domain/sessions/portal-sessions.ts'
import { withPage } from '../pages/browser-session.ts'
import { launchBrowser } from '../support/chromium.ts'
import { openDaemon, type TestDaemon } from '../support/daemon.ts'
import { cardFields } from '../support/page-forms.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('browser/portal', undefined, 60_000)

/** 1 January 2026. */
const JANUARY = 1_767_225_600

let daemon: TestDaemon
let browser: Browser

test.before(async () => {
  ;[daemon, browser] = await Promise.all([openDaemon(), launchBrowser()])
})

test.after(async () => {
  await browser?.close()
  await daemon?.stop()
})

/** Runs a command on the daemon and returns the object that it prints. */
async function run<T>(line: string): Promise<T> {
  const { api_url, api_key } = daemon.location
  const env = { PAYCLI_API_BASE: api_url, PAYCLI_API_KEY: api_key }
  const { code, stdout, stderr } = await runCommand([...line.split(' '), '--json'], env)
  assert.is(code, 0, stderr)
  return JSON.parse(stdout) as T
}

/** Returns the text of the page below its header, with ordinary spaces. */
async function mainText(page: Page): Promise<string> {
  return ((await page.textContent('main')) ?? '').replace(/\s+/g, ' ')
}

/** Clicks a button or link and waits for the page that it opens. */
async function open(page: Page, role: 'button' | 'link', name: string): Promise<void> {
  await page.getByRole(role, { name, exact: true }).click()
  await page.waitForLoadState()
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with' : 'without'
  test(`the customer changes card and plan, cancels and resumes, ${how} JavaScript`, async () => {
    const { id: clock } = await run<{ id: string }>(`clock create --at ${JANUARY}`)
    const { id: customer } = await run<{ id: string }>(
      `customers create --email ada@example.com --test-clock ${clock}`,
    )
    const checkout = `checkout create --customer ${customer} --currency eur --interval month --item Small:1000:19`
    const { id } = await run<{ id: string }>(checkout)
    const { subscription } = await run<{ subscription: string }>(
      `checkout complete ${id} --card renewal_no_funds`,
    )
    await run(`clock advance ${clock} 15d`)
    const session = await run<PortalSession>(`portal create --customer ${customer} --plan Large:2000:eur`)
    const read = () => daemon.call(api.subscriptions.retrieve, { id: subscription })
    await withPage(browser, { javaScriptEnabled }, async (page) => {
      await page.goto(session.url)
      await open(page, 'link', 'Change plan or quantity')
      await page.locator('#plan').selectOption({ label: 'Large · €20.00 every month' })
      await open(page, 'button', 'Show the price')
      await open(page, 'button', 'Confirm the change')
      assert.match((await page.getByRole('alert').textContent()) ?? '', 'Your subscription was not changed.')
      await open(page, 'link', 'Back to your account')

      await open(page, 'button', 'Update your card')
      for (const [name, value] of Object.entries(cardFields('4242424242424242')))
        await page.fill(`#${name}`, value)
      await page.locator('#card button').click()
      await page.waitForURL(session.url)
      assert.match(await mainText(page), '4242')

      await open(page, 'link', 'Change plan or quantity')
      await page.locator('#plan').selectOption('0')
      await page.locator('#quantity').fill('2')
      await open(page, 'button', 'Show the price')
      await open(page, 'button', 'Confirm the change')
      assert.is(await page.getByRole('status').first().textContent(), 'Your change is saved.')
      assert.match(await mainText(page), '€47.60 every month')

      await open(page, 'link', 'Cancel subscription')
      await open(page, 'button', 'Cancel subscription')
      assert.match(await mainText(page), 'It is canceled and ends on February 1, 2026.')
      assert.is((await read()).cancel_at_period_end, true)
      await open(page, 'button', 'Keep subscription')
      assert.is((await read()).cancel_at_period_end, false)
    })
    const { items } = await read()
    assert.equal(
      items.map(({ quantity, price_data }) => [quantity, price_data.amount]),
      [[2, 2000]],
    )
    const { data } = await daemon.call(api.events.list, { object_id: subscription, limit: 4 })
    assert.ok(data.slice(0, 3).every(({ request }) => /^req_/.test(request?.id ?? '')))
    await run(`clock advance ${clock} 1mo`)
    const invoices = await daemon.call(api.invoices.list, { subscription })
    assert.equal(
      invoices.data.map(({ status }) => status),
      ['paid', 'paid', 'paid'],
    )
  })
}

test('the portal has the security headers of all pages, and sets no cookie', async () => {
  const { id: customer } = await run<{ id: string }>('customers create --email ada@example.com')
  const { url } = await run<PortalSession>(`portal create --customer ${customer}`)
  const { headers } = await fetch(url)
  assert.match(headers.get('content-security-policy') ?? '', "frame-ancestors 'none'")
  assert.is(headers.get('referrer-policy'), 'same-origin')
  assert.match(headers.get('cache-control') ?? '', 'no-store')
  assert.is(headers.get('set-cookie'), null)
})

test.run()
