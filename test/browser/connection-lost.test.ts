import type { Page, Route } from 'playwright-core'
import { fill, onPost, press, useBrowserSession, withPage } from '../pages/browser-session.ts'
import { card, type Form, renderFailurePage, VISA } from '../pages/hosted-pages.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('connection-lost', undefined, 60_000)

const browsing = useBrowserSession(test)

const LOST = 'Connection lost It is unknown whether your form arrived. Try again: nothing is charged twice.'
const DECLINED = card('4000000000000002')
const THREE_D_SECURE = card('4000000000003220')

/** Opens the page of a new checkout session. */
function visit(work: (page: Page) => Promise<void>): Promise<void> {
  return withPage(browsing.browser, {}, async (page) => {
    await page.goto((await browsing.hosted.checkout()).url)
    await work(page)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })
}

const loseRequest = (route: Route) => route.abort('aborted')

async function loseResponse(route: Route): Promise<void> {
  await route.fetch({ maxRedirects: 0 })
  await route.abort('aborted')
}

/** Counts the new events of a type. */
async function countEvents(type: string, work: () => Promise<void>): Promise<number> {
  const before = (await browsing.hosted.events()).length
  await work()
  return (await browsing.hosted.events()).slice(before).filter((one) => one === type).length
}

const payButton = (page: Page) => page.locator('main form [type=submit]').first()
const headingOf = (page: Page) => page.textContent('h1')
const alertOf = async (page: Page) => (await page.textContent('[role=alert]')) ?? ''
const retry = (page: Page) => press(page, page.getByRole('button', { name: 'Try again' }))

async function payWith(page: Page, fields: Form): Promise<void> {
  await fill(page, fields)
  await press(page, payButton(page))
}

test('charges once when the request is lost and the customer tries again', async () => {
  const paid = await countEvents('payment.succeeded', async () =>
    visit(async (page) => {
      await onPost(page, loseRequest)
      const label = await payButton(page).textContent()
      await payWith(page, VISA)
      assert.match(await alertOf(page), LOST)
      assert.is(await page.inputValue('#number'), VISA['number'])
      assert.is(await payButton(page).textContent(), label)
      assert.is(await payButton(page).getAttribute('aria-disabled'), null)
      await retry(page)
      assert.is(await page.locator('[role=alert]').count(), 1)
      assert.ok(await payButton(page).evaluate('document.activeElement?.type === "submit"'))
      await page.unrouteAll()
      await retry(page)
      assert.is(await headingOf(page), 'You are subscribed')
    }),
  )
  assert.is(paid, 1)
})

test('shows the first result when the response is lost and the customer presses the button again', async () => {
  for (const [fields, type] of [
    [VISA, 'payment.succeeded'],
    [DECLINED, 'payment.failed'],
  ] as const) {
    const count = await countEvents(type, async () =>
      visit(async (page) => {
        await onPost(page, loseResponse)
        await payWith(page, fields)
        assert.match(await alertOf(page), LOST)
        await page.unrouteAll()
        await press(page, payButton(page))
        if (fields === VISA) assert.is(await headingOf(page), 'You are subscribed')
        else assert.match(await alertOf(page), 'The card ending in 0002 was not charged.')
      }),
    )
    assert.is(count, 1, type)
  }
})

test('approves once when the response of the 3-D Secure page is lost', async () => {
  const paid = await countEvents('payment.succeeded', async () =>
    visit(async (page) => {
      await payWith(page, THREE_D_SECURE)
      await onPost(page, loseResponse)
      await press(page, 'button[value=approve]')
      assert.match(await alertOf(page), LOST)
      await page.unrouteAll()
      await retry(page)
      assert.is(await headingOf(page), 'You are subscribed')
    }),
  )
  assert.is(paid, 1)
})

test('shows that the connection was lost when the browser is offline', async () => {
  const context = await browsing.browser.newContext()
  const page = await context.newPage()
  await page.goto((await browsing.hosted.checkout()).url)
  await context.setOffline(true)
  await payWith(page, VISA)
  assert.match(await alertOf(page), LOST)
  await context.setOffline(false)
  await retry(page)
  assert.is(await headingOf(page), 'You are subscribed')
  await context.close()
})

test('shows that the connection was lost when there is no response for a minute', async () => {
  await withPage(browsing.browser, {}, async (page) => {
    await page.addInitScript(`AbortSignal.timeout = (ms) => {
      const controller = new AbortController()
      window.expire = () => controller.abort(ms)
      return controller.signal
    }`)
    await page.goto((await browsing.hosted.checkout()).url)
    await onPost(page, async () => {})
    await fill(page, VISA)
    await payButton(page).click()
    await page.waitForSelector('[data-state=working]')
    await page.evaluate('window.expire()')
    await page.waitForSelector('[role=alert]')
    assert.match(await alertOf(page), LOST)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })
})

test('shows the message of an error page above the form, and keeps the entered card', async () => {
  await visit(async (page) => {
    for (const [status, body, message] of [
      [
        429,
        renderFailurePage(429, browsing.hosted.pages).body,
        'Too many requests Too many requests came from your network',
      ],
      [
        500,
        renderFailurePage(500, browsing.hosted.pages).body,
        'Something went wrong The error is on our side.',
      ],
      [502, '<h1>502 Bad Gateway</h1>', LOST],
    ] as const) {
      await onPost(page, (route) => route.fulfill({ status, contentType: 'text/html', body }))
      await payWith(page, VISA)
      assert.match(await alertOf(page), message)
      assert.is(await page.inputValue('#number'), VISA['number'])
      await page.unrouteAll()
    }
    await retry(page)
    assert.is(await headingOf(page), 'You are subscribed')
  })
})

test.run()
