import type { Locator, Page } from 'playwright-core'
import { api } from '../../../src/api/api.ts'
import { assert, suite } from '../../support/suite.ts'
import { checkScreen, useDashboardBrowser } from './dashboard-browser.ts'

const test = suite('dashboard objects', undefined, 120_000)

const HOSTILE = `"><script>alert(1)</script>\u202E${'x'.repeat(200)}`

const dashboard = useDashboardBrowser(test)
let customer: string
let subscription: string

test.before(async () => {
  const { call } = dashboard.daemon
  const clock = await call(api.testClocks.create, { frozen_time: 1_767_225_600, name: HOSTILE })
  const fields = { email: 'ada@example.com', name: HOSTILE, test_clock: clock.id }
  customer = (await call(api.customers.create, { ...fields, metadata: { [HOSTILE.slice(0, 30)]: HOSTILE } }))
    .id
  const price_data = { amount: 1500, currency: 'eur', tax_percent: 0 }
  const session = await call(api.checkoutSessions.create, {
    ...{ customer, currency: 'eur', description: HOSTILE },
    subscription_data: { interval: 'month', items: [{ description: 'Rent', type: 'rent', price_data }] },
  })
  await call(api.checkoutSessions.complete, { id: session.id, test_card: 'visa' })
  const { data } = await call(api.subscriptions.list, { customer })
  subscription = data[0]?.id ?? ''
  await call(api.subscriptions.update, { id: subscription, cancel_at_period_end: true })
})

function withObject(path: string, work: (page: Page) => Promise<void>): Promise<void> {
  return dashboard.withScreen(path, work)
}

function historyOf(page: Page): Locator {
  return page.getByRole('region', { name: 'History' })
}

function upcomingOf(page: Page): Locator {
  return page.getByRole('region', { name: 'Upcoming events' })
}

test('shows the state, the history and the upcoming events of a subscription', async () => {
  await withObject(`/objects/${subscription}`, async (page) => {
    await page.getByText('and the subscription with it').waitFor()
    await upcomingOf(page).locator('.entry', { hasText: 'Ends' }).waitFor()
    assert.match(await upcomingOf(page).innerText(), /in 31 days/)
    const update = historyOf(page).locator('.entry', { hasText: 'subscription.updated' })
    await update.waitFor()
    assert.match(await update.innerText(), /Cancel at period end\s+–?n?o?\s*(?:becomes)?\s*→?\s*yes/)
    await historyOf(page).locator('.entry', { hasText: 'invoice.paid' }).waitFor()
    await historyOf(page).locator('.entry', { hasText: 'payment.succeeded' }).waitFor()
    await page.getByText(`paycli get ${subscription}`).waitFor()
  })
})

test('shows a customer with the events of its subscriptions, payments and invoices', async () => {
  await withObject(`/objects/${customer}`, async (page) => {
    await historyOf(page).locator('.entry', { hasText: 'subscription.created' }).waitFor()
    await historyOf(page).locator('.entry', { hasText: 'payment.succeeded' }).waitFor()
    await upcomingOf(page).locator('.entry', { hasText: 'Ends' }).waitFor()
    await page.getByRole('region', { name: 'Subscriptions' }).getByRole('link').click()
    await page.getByRole('heading', { level: 1, name: 'Subscription' }).waitFor()
    assert.match(page.url(), new RegExp(subscription))
  })
})

test('shows the meaning, the changed fields and the request of an event', async () => {
  const { data } = await dashboard.daemon.call(api.events.list, { type: 'subscription.updated' })
  await withObject(`/objects/${data[0]?.id}`, async (page) => {
    await page.getByText('Update your copy of the subscription.').waitFor()
    await page.getByText('Cancel at period end').waitFor()
    await page.getByRole('link', { name: data[0]?.request?.id ?? '' }).waitFor()
    assert.equal(await checkScreen(page), [])
  })
})

test('updates the screen when the object changes', async () => {
  await withObject(`/objects/${customer}`, async (page) => {
    await historyOf(page).locator('.entry', { hasText: 'subscription.created' }).waitFor()
    await page.getByText('Live', { exact: true }).last().waitFor()
    await dashboard.daemon.call(api.customers.update, { id: customer, phone: '+44 20 7946 0000' })
    await page.locator('.entry', { hasText: '+44 20 7946 0000' }).waitFor()
  })
})

test('shows hostile strings as text, without layout or accessibility problems', async () => {
  for (const id of [customer, subscription]) {
    await withObject(`/objects/${id}`, async (page) => {
      await historyOf(page).locator('.entry').first().waitFor()
      await upcomingOf(page).locator('.entry', { hasText: 'Ends' }).waitFor()
      await page.getByText('JSON').click()
      assert.equal(await checkScreen(page), [])
    })
  }
})

test('links a coupon whose id the merchant chose, without a prefix', async () => {
  await dashboard.daemon.call(api.coupons.create, { id: 'SPRING-25', percent_off: 25 })
  const { id } = await dashboard.daemon.call(api.promotionCodes.create, { coupon: 'SPRING-25' })
  await withObject(`/objects/${id}`, async (page) => {
    await page.locator('a[href*="coupons%2FSPRING-25"]').first().click()
    await page.getByText('paycli get coupons/SPRING-25').waitFor()
    await historyOf(page).locator('.entry', { hasText: 'coupon.created' }).waitFor()
    assert.equal(await checkScreen(page), [])
  })
})

test('reports that an unknown object does not exist', async () => {
  await withObject('/objects/nonsense', async (page) => {
    await page.getByText('No object that the dashboard shows has the id nonsense').waitFor()
    assert.equal(await checkScreen(page), [])
  })
})

test('searches customers by a part of the email address', async () => {
  await withObject('/customers', async (page) => {
    await page.getByRole('link', { name: 'ada@example.com' }).waitFor()
    await page.getByLabel('Text, id or amount').fill('nobody')
    await page.getByText('0 customers with').waitFor()
    assert.match(page.url(), /q=nobody/)
    await page.getByLabel('Text, id or amount').fill('ADA@')
    await page.getByRole('link', { name: 'ada@example.com' }).waitFor()
    assert.equal(await checkScreen(page), [])
  })
})

test('keeps older objects that were loaded when a new object is added', async () => {
  const { call } = dashboard.daemon
  for (let n = 0; n < 60; n += 1) await call(api.customers.create, { email: `n${n}@example.com` })
  await withObject('/customers', async (page) => {
    await page.getByText('50 customers so far').waitFor()
    await page.getByRole('button', { name: 'Load older customers' }).click()
    await page.getByText('61 customers').waitFor()
    // The button keeps the focus after the last page has loaded.
    assert.is(await page.evaluate(() => document.activeElement?.textContent), 'No more')
    await page.getByRole('link', { name: 'ada@example.com' }).focus()
    await page.getByRole('button', { name: 'No more' }).waitFor({ state: 'detached' })
    const older: string[] = []
    page.on('request', (request) => request.url().includes('starting_after') && older.push(request.url()))
    await call(api.customers.create, { email: 'new@example.com' })
    await page.getByRole('link', { name: 'new@example.com' }).waitFor()
    await page.getByText('62 customers').waitFor()
    await page.getByRole('link', { name: 'ada@example.com' }).waitFor()
    assert.equal(older, [])
  })
})

test('lists the objects of a type with the columns of the catalog', async () => {
  await withObject('/objects', async (page) => {
    await page.getByRole('link', { name: subscription }).waitFor()
    await page.getByLabel('Type').selectOption('invoices')
    await page.getByRole('columnheader', { name: 'Number' }).waitFor()
    await page.getByRole('cell', { name: 'paid', exact: true }).waitFor()
    assert.match(page.url(), /type=invoices/)
    assert.equal(await checkScreen(page), [])
  })
})

test('on a phone, hides unused filters, and begins each card with the most important columns', async () => {
  await dashboard.withScreen(
    '/objects?type=invoices',
    async (page) => {
      const cells = page.locator('tbody tr').first().locator('td:visible')
      assert.equal((await cells.allInnerTexts()).slice(0, 2), ['paid', '15.00 EUR'])
      await page.getByLabel('Type').waitFor()
      const text = page.getByLabel('Text, id or amount')
      assert.not.ok(await text.isVisible())
      await page.getByRole('button', { name: 'Filters', exact: true }).click()
      await text.fill('nobody')
      await page.getByText('0 invoices with').waitFor()
      await page.getByRole('button', { name: 'Filters', exact: true }).click()
      assert.ok(await text.isVisible())
      await page.getByRole('button', { name: 'Clear filters' }).click()
      await text.waitFor({ state: 'hidden' })
      assert.is(await page.evaluate(() => document.activeElement?.textContent), 'Filters')
      await page.goto(page.url().replace('invoices', 'coupons'))
      // The coupon has no name.
      await page.getByRole('cell', { name: '25 %' }).waitFor()
      assert.is(await page.locator('td:visible[data-label="Name"]').count(), 0)
    },
    { viewport: { width: 390, height: 844 } },
  )
})

test('the search finds an id, an email address and an amount with the keyboard alone', async () => {
  await withObject('/customers', async (page) => {
    const field = page.getByRole('combobox', { name: /Search/ })
    await page.keyboard.press('/')
    await page.keyboard.type('15.00 eur')
    await page.getByRole('option').first().waitFor()
    assert.match(await page.getByRole('option').first().innerText(), /15\.00 EUR/)
    assert.equal(await checkScreen(page), [])
    await page.keyboard.press('Escape')
    assert.is(await field.getAttribute('aria-expanded'), 'false')
    await field.fill('nothing-has-this')
    await page.getByText('Nothing found for “nothing-has-this”').waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type(subscription.slice(0, 14))
    await page.getByRole('option', { name: /Subscription/ }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await field.fill('ada@example.com')
    await page
      .getByRole('option', { name: /Customer/ })
      .first()
      .waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Customer' }).waitFor()
    assert.match(page.url(), new RegExp(customer))
    await page.keyboard.press('/')
    await page.keyboard.type(subscription)
    await page.getByRole('option', { name: /Subscription/ }).waitFor()
  })
})

test('keys and links work as soon as they are drawn', async () => {
  await withObject('/customers', async (page) => {
    // Preact draws a screen before it runs its effects in the next frame.
    await page.addInitScript(() => {
      new MutationObserver((_changes, observer) => {
        const link = document.querySelector<HTMLElement>('nav a[href="/dashboard/payments"]')
        if (link === null) return
        observer.disconnect()
        window.dispatchEvent(new KeyboardEvent('keydown', { key: '/', cancelable: true }))
        document.documentElement.lang = document.activeElement?.getAttribute('role') ?? 'none'
        link.click()
      }).observe(document, { childList: true, subtree: true })
    })
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor()
    assert.is(await page.locator('html').getAttribute('lang'), 'combobox')
  })
})

test('shows the id of a portal request as text, because the request has no screen', async () => {
  const owner = await dashboard.daemon.call(api.customers.create, { email: 'ada@example.com' })
  const session = await dashboard.daemon.call(api.portalSessions.create, { customer: owner.id })
  const body = await (await fetch(session.url)).text()
  const [form_token = ''] = /(?<=name="form_token"[^>]*value=")[^"]+/.exec(body) ?? []
  await fetch(session.url, { method: 'POST', body: new URLSearchParams({ form_token }), redirect: 'manual' })
  const { data } = await dashboard.daemon.call(api.events.list, { type: 'card_session.created' })
  const [event] = data
  for (const path of [`/objects/${event?.id}`, `/objects/${event?.data.object.id}`, '/'])
    await withObject(path, async (page) => {
      await page
        .getByText(event?.request?.id ?? 'none')
        .first()
        .waitFor()
      assert.is(await page.locator('a[href*="req_page_"]').count(), 0)
    })
})

test.run()
