import type { BrowserContext, Page } from 'playwright-core'
import {
  type BrowserSession,
  fill,
  pay,
  press,
  startBrowserSession,
  withPage as visitWith,
} from '../pages/browser-session.ts'
import { card, type HostedPages, NOW, pathOf, VISA } from '../pages/hosted-pages.ts'
import { createSentInvoice } from '../pages/sent-invoice.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('journeys', undefined, 60_000)

const DAY = 86_400
const PAID_ONCE = ['payment.created', 'payment.succeeded', 'payment_session.completed']

let browsing: BrowserSession
let hosted: HostedPages

test.before(async () => {
  browsing = await startBrowserSession()
  hosted = browsing.hosted
})

test.after(() => browsing?.close())

test.before.each(() => {
  hosted.now = NOW
  hosted.pages.isLocal = false
})

const thanksUrl = () => `${browsing.shopUrl}/thanks`
const payment = () => hosted.payment({ return_url: thanksUrl() })
const checkout = () => hosted.checkout({}, { return_url: thanksUrl() })

async function eventsDuring(work: () => Promise<void>): Promise<string[]> {
  const before = (await hosted.events()).length
  await work()
  return (await hosted.events()).slice(before)
}

async function heading(page: Page): Promise<string> {
  return (await page.textContent('h1')) ?? ''
}

async function alertIn(page: Page): Promise<string> {
  return (await page.textContent('[role=alert]')) ?? ''
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with scripts' : 'without scripts'
  // Both kinds of sessions share the pages of their forms.
  const [kind, newSession] = javaScriptEnabled ? ['checkout', checkout] : ['payment', payment]
  const visit = (work: (page: Page, context: BrowserContext) => Promise<void>) =>
    visitWith(browsing.browser, { javaScriptEnabled }, (page) => work(page, page.context()))

  test(`rejects a form when the session expired while its page was open, ${how}`, async () => {
    const session = await payment()
    await visit(async (page) => {
      await page.goto(session.url)
      await fill(page, VISA)
      const events = await eventsDuring(async () => {
        hosted.now += 2 * DAY
        await press(page, 'form button')
        await page.waitForSelector('.outcome')
      })
      assert.is(await heading(page), 'This link has expired')
      assert.equal(events, ['payment_session.expired'])
      assert.is(await page.getByRole('link').count(), 1)
    })
  })

  test(`charges once for a double click, ${how}`, async () => {
    const session = await payment()
    const events = await eventsDuring(() =>
      visit(async (page) => {
        await page.goto(session.url)
        await fill(page, VISA)
        // The second click cancels the navigation of the first, so there is no single navigation to await.
        const back = page.waitForRequest(/thanks/)
        await page.dblclick('form button')
        await back
        await page.waitForURL(/thanks/)
      }),
    )
    assert.equal(events, PAID_ONCE)
  })

  test(`charges once when the customer pays again with the back button, ${how}`, async () => {
    const session = await payment()
    const events = await eventsDuring(() =>
      visit(async (page) => {
        await page.goto(browsing.shopUrl)
        await page.goto(session.url)
        await pay(page, card('4000000000000002'))
        await page.waitForSelector('[role=alert]')
        await page.goBack()
        await pay(page, VISA)
        await page.waitForURL(/thanks/)
        await page.goBack()
        assert.is(await heading(page), 'Already paid')
        await page.goBack()
        assert.is(page.url(), `${browsing.shopUrl}/`)
      }),
    )
    assert.is(events.filter((type) => type === 'payment.succeeded').length, 1)
  })

  test(`shows the right page on back, forward and reload for a ${kind} that was declined, then paid, ${how}`, async () => {
    const session = await newSession()
    const events = await eventsDuring(() =>
      visit(async (page) => {
        await page.goto(browsing.shopUrl)
        await page.goto(session.url)
        await pay(page, card('4000000000000002'))
        const told = async () => assert.match(await alertIn(page), 'The card ending in 0002 was not charged.')
        await told()
        assert.is(await page.inputValue('#name'), 'Ada')
        await page.reload()
        await told()
        await page.goBack()
        assert.is(await page.locator('[role=alert]').count(), 0)
        await page.goForward()
        await told()
        await pay(page, VISA)
        await page.waitForURL(/thanks/)
        for (const visited of ['Already paid', 'Already paid']) {
          await page.goBack()
          assert.is(await heading(page), visited)
          await page.reload()
          assert.is(await heading(page), visited)
        }
        await page.goBack()
        assert.is(page.url(), `${browsing.shopUrl}/`)
        await page.goForward()
        assert.is(await heading(page), 'Already paid')
      }),
    )
    for (const type of ['payment.succeeded', 'payment.failed']) {
      assert.is(events.filter((one) => one === type).length, 1, type)
    }
  })

  test(`shows the right page on back and reload for a ${kind} whose form must be sent again, ${how}`, async () => {
    const session = await newSession()
    const events = await eventsDuring(() =>
      visit(async (page) => {
        await page.goto(session.url)
        await pay(page, card('4000000000000002'))
        // The script does not check the form token.
        await page.evaluate('document.forms[0].form_token.value = "forged"')
        await pay(page, VISA)
        assert.match(await alertIn(page), 'Please send the form again')
        await page.reload()
        assert.match(await alertIn(page), 'Please send the form again')
        await page.goBack()
        assert.match(await alertIn(page), 'Card declined')
        await page.goForward()
        assert.match(await alertIn(page), 'Please send the form again')
        await pay(page, VISA)
        await page.waitForURL(/thanks/)
      }),
    )
    assert.is(events.filter((type) => type === 'payment.succeeded').length, 1)
  })

  test(`shows the right page on back and reload after a late 3-D Secure response, ${how}`, async () => {
    const session = await payment()
    await visit(async (page) => {
      await page.goto(session.url)
      await pay(page, card('4000000000003220'))
      await page.waitForSelector('button[value=approve]')
      hosted.now = session.expires_at
      await press(page, 'button[value=approve]')
      await page.waitForSelector('h1 >> text=Nothing left to confirm')
      await press(page, '.button')
      assert.is(await heading(page), 'This link has expired')
      await page.goBack()
      assert.is(await heading(page), 'Nothing left to confirm')
      await page.reload()
      assert.is(await heading(page), 'Nothing left to confirm')
    })
  })

  test(`charges once when two tabs submit the same session, ${how}`, async () => {
    const session = await payment()
    const events = await eventsDuring(() =>
      visit(async (one, context) => {
        const other = await context.newPage()
        await Promise.all([one.goto(session.url), other.goto(session.url)])
        await pay(one, VISA)
        await one.waitForURL(/thanks/)
        await pay(other, VISA)
        await other.waitForURL(/thanks/)
        await other.goto(session.url)
        assert.is(await heading(other), 'Already paid')
      }),
    )
    assert.equal(events, PAID_ONCE)
  })

  test(`shows that a 3-D Secure page has ended when another card is used in another tab, ${how}`, async () => {
    const session = await payment()
    await visit(async (one, context) => {
      const other = await context.newPage()
      await Promise.all([one.goto(session.url), other.goto(session.url)])
      await pay(one, card('4000000000003220'))
      await one.waitForSelector('button[value=approve]')
      await pay(other, VISA)
      await other.waitForURL(/thanks/)
      await press(one, 'button[value=approve]')
      assert.is(await heading(one), 'Nothing left to confirm')
    })
  })

  test(`accepts payment and 3-D Secure approval with the keyboard alone, ${how}`, async () => {
    const session = await payment()
    await visit(async (page) => {
      await page.goto(session.url)
      // The first stop is the test bar.
      await page.keyboard.press('Tab')
      for (const text of ['4000000000003220', '1230', '123', 'Ada']) {
        await page.keyboard.press('Tab')
        await page.keyboard.type(text)
      }
      await page.keyboard.press('Enter')
      await page.waitForSelector('button[value=approve]')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.waitForURL(/thanks/)
    })
  })

  test(`pays an invoice after a decline and a rejected 3-D Secure confirmation, ${how}`, async () => {
    const path = pathOf({ url: (await createSentInvoice(hosted)).hosted_invoice_url ?? '' })
    await visit(async (page) => {
      await page.goto(hosted.runtime.checkoutUrl + path)
      await pay(page, card('4000000000009995'))
      assert.match(await alertIn(page), 'insufficient funds')
      await pay(page, card('4000000000003220'))
      await press(page, page.getByRole('button', { name: 'Reject' }))
      assert.is(await heading(page), 'Payment not confirmed')
      await press(page, page.getByRole('link', { name: 'Go to the invoice' }))
      await pay(page, VISA)
      await page.waitForSelector('.outcome')
      assert.is(await heading(page), 'Invoice paid')
    })
  })

  test(`shows the events in the test bar after a developer chose an outcome, ${how}`, async () => {
    hosted.pages.isLocal = true
    const session = await payment()
    await visit(async (page) => {
      await page.goto(session.url)
      await page.click('.tests summary')
      await press(page, '.tests button[value=declined]')
      assert.match(await alertIn(page), 'Your card was declined.')
      assert.ok(await page.isVisible('.tests >> text=payment.failed'), 'the test bar stays open')
      await press(page, '.tests >> text=Reload')
      assert.ok(await page.isVisible('.tests >> text=payment.failed'))
      await press(page, '.tests button[value=visa]')
      await page.waitForURL(/thanks/)
    })
  })
}

test.run()
