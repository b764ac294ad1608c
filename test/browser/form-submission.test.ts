import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { fill, onPost, press, useBrowserSession, withPage } from '../pages/browser-session.ts'
import { card, type Form, invoicePathOf, VISA } from '../pages/hosted-pages.ts'
import { createSentInvoice } from '../pages/sent-invoice.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('form-submission', undefined, 60_000)

const browsing = useBrowserSession(test)

const urlOf = {
  checkout: async () => (await browsing.hosted.checkout()).url,
  invoice: async () =>
    browsing.hosted.runtime.checkoutUrl + invoicePathOf(await createSentInvoice(browsing.hosted)),
}
const DECLINED = card('4000000000000002')
const THREE_D_SECURE = card('4000000000003220')

function visit(
  url: string,
  work: (page: Page) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  return withPage(browsing.browser, options, async (page) => {
    await page.addInitScript(RECORD_STATES)
    await page.goto(url)
    await work(page)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })
}

/** Records the states of the button across navigations. */
const RECORD_STATES = `addEventListener('DOMContentLoaded', () => new MutationObserver((changes) => {
  for (const { target } of changes) sessionStorage.states = (sessionStorage.states ?? '') + (target.dataset.state ?? '-') + ' '
}).observe(document.body, { subtree: true, attributeFilter: ['data-state'] }))`

/** Returns the states of the buttons since the last call. */
async function takeStates(page: Page): Promise<string> {
  return (await page.evaluate(
    "(() => { const { states = '' } = sessionStorage; delete sessionStorage.states; return states.trim() })()",
  )) as string
}

const payButton = (page: Page) => page.locator('main form [type=submit]').first()
const alertOf = async (page: Page) => (await page.textContent('[role=alert]')) ?? ''

async function payWith(page: Page, fields: Form): Promise<void> {
  await fill(page, fields)
  await press(page, payButton(page))
}

for (const kind of ['checkout', 'invoice'] as const) {
  test(`shows a check mark only after success: ${kind}`, async () => {
    await visit(await urlOf[kind](), async (page) => {
      await payWith(page, DECLINED)
      assert.match(await alertOf(page), 'Card declined')
      assert.is(await takeStates(page), 'working')
      await payWith(page, THREE_D_SECURE)
      await press(page, 'button[value=reject]')
      assert.is(await takeStates(page), 'working working')
      await page.goto(
        kind === 'invoice'
          ? new URL((await page.getAttribute('.button', 'href')) ?? '', page.url()).href
          : page.url(),
      )
      await payWith(page, THREE_D_SECURE)
      await press(page, 'button[value=approve]')
      await page.waitForSelector('.mark.good')
      assert.is(await takeStates(page), 'working working done')
    })
    await visit(await urlOf[kind](), async (page) => {
      await payWith(page, VISA)
      await page.waitForSelector('.mark.good')
      assert.is(await takeStates(page), 'working done')
    })
  })
}

test('shows no check mark while a payment is processing', async () => {
  await visit(await urlOf.checkout(), async (page) => {
    await payWith(page, card('4000000000000077'))
    assert.is(await takeStates(page), 'working')
  })
})

const MARK_STYLE = "getComputedStyle(document.querySelector('main form [type=submit]'), '::before')"

/** Returns the visible state of a button and its announcement for screen readers. */
async function describeButton(page: Page, button: Locator) {
  const { width, height } = (await button.boundingBox()) ?? {}
  return {
    ...{
      width,
      height,
      text: await button.textContent(),
      disabled: await button.getAttribute('aria-disabled'),
    },
    announced: await page.textContent('.announced'),
    mark: await page.evaluate(`${MARK_STYLE}.borderTopStyle`),
    animation: await page.evaluate(`${MARK_STYLE}.animationName`),
  }
}

test('the button keeps its size and shows that the form is being sent, also with reduced motion and forced colors', async () => {
  const options: readonly BrowserContextOptions[] = [{ reducedMotion: 'reduce', forcedColors: 'active' }, {}]
  for (const option of options) {
    await visit(
      await urlOf.checkout(),
      async (page) => {
        let posts = 0
        await onPost(page, async () => {
          posts += 1
        })
        await fill(page, VISA)
        const button = payButton(page)
        const before = await describeButton(page, button)
        await button.click()
        // A disabled button is not clickable for Playwright.
        await button.click({ force: true })
        await page.press('#number', 'Enter')
        assert.equal(await describeButton(page, button), {
          ...before,
          ...{ text: 'Processing …', announced: 'Processing …', disabled: 'true', mark: 'dotted' },
          animation: option.reducedMotion === 'reduce' ? 'none' : 'spin',
        })
        assert.is(posts, 1)
        // The browser fires this event when the back button restores the page from its cache.
        await page.evaluate("dispatchEvent(new Event('pageshow'))")
        assert.equal(await describeButton(page, button), before)
      },
      option,
    )
  }
})

test('sends the same fields with and without scripts', async () => {
  const fieldsOf = async (javaScriptEnabled: boolean) => {
    const sent: string[] = []
    await visit(
      await urlOf.checkout(),
      async (page) => {
        page.on('request', (request) => {
          const { form_token, ...fields } = Object.fromEntries(new URLSearchParams(request.postData() ?? ''))
          if (form_token !== undefined) sent.push(JSON.stringify(Object.entries(fields).toSorted()))
        })
        await payWith(page, { ...card('4000 0000 0000 3220'), expiry: '12 / 30', name: 'Ada & Zoë Lovelace' })
        await press(page, 'button[value=approve]')
        await page.waitForSelector('.mark.good')
      },
      { javaScriptEnabled },
    )
    return sent
  }
  const scripted = await fieldsOf(true)
  assert.is(scripted.length, 2)
  assert.equal(scripted, await fieldsOf(false))
})

test.run()
