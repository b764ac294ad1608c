import axe from 'axe-core'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { LANGUAGES } from '../../src/pages/languages/language.ts'
import { type BrowserSession, onPost, pay, startBrowserSession, withPage } from '../pages/browser-session.ts'
import { card, pathOf, VISA } from '../pages/hosted-pages.ts'
import { createSentInvoice } from '../pages/sent-invoice.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('accessibility', undefined, 60_000)

interface Found {
  readonly id: string
  readonly impact: string | null
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

let browsing: BrowserSession

test.before(async () => {
  browsing = await startBrowserSession()
  browsing.hosted.pages.isLocal = true
})

test.after(() => browsing?.close())

/** Fails for every violation of every axe rule, whatever its severity. */
async function check(page: Page, what: string): Promise<void> {
  await page.evaluate('document.querySelectorAll("details").forEach((one) => { one.open = true })')
  await page.evaluate(axe.source)
  const found = (await page.evaluate('axe.run(document).then(({ violations }) => violations)')) as Found[]
  const told = found.map(
    ({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map(({ html }) => html).join(' ')}`,
  )
  assert.equal(told, [], what)
}

type Scene = readonly [name: string, open: (page: Page) => Promise<void>]

const ITEMS = [
  { description: 'Monthly rent', price_data: { amount: 100_000, tax_percent: 20 } },
  { description: 'Parking space', price_data: { amount: 8000 } },
]

/** The page with the most text. */
const LONGEST_PAGE: Scene = [
  'a subscription',
  async (page) => void (await page.goto((await browsing.hosted.checkout({ items: ITEMS })).url)),
]

const SCENES: readonly Scene[] = [
  LONGEST_PAGE,
  [
    'a subscription that is invoiced',
    async (page) =>
      void (await page.goto((await browsing.hosted.checkout({ collection_method: 'send_invoice' })).url)),
  ],
  [
    'a payment',
    async (page) => void (await page.goto((await browsing.hosted.payment({ description: 'Workshop' })).url)),
  ],
  [
    'invalid card fields',
    async (page) => {
      await page.goto((await browsing.hosted.payment()).url)
      await page.click('.panel form button')
    },
  ],
  [
    'a decline',
    async (page) => {
      await page.goto((await browsing.hosted.payment()).url)
      await pay(page, card('4000000000000002'))
      await page.waitForSelector('[role=alert]')
    },
  ],
  [
    'a lost connection',
    async (page) => {
      await page.goto((await browsing.hosted.payment()).url)
      await onPost(page, (route) => route.abort('aborted'))
      await pay(page, VISA)
      await page.waitForSelector('[role=alert]')
    },
  ],
  [
    '3-D Secure',
    async (page) => {
      await page.goto((await browsing.hosted.payment()).url)
      await pay(page, card('4000000000003220'))
      await page.waitForSelector('button[value=approve]')
    },
  ],
  [
    'a completed payment',
    async (page) => {
      await page.goto((await browsing.hosted.checkout({ items: ITEMS })).url)
      await pay(page, VISA)
      await page.waitForURL(/done/)
    },
  ],
  [
    'an earlier payment',
    async (page) => {
      const { url } = await browsing.hosted.payment({ return_url: `${browsing.shopUrl}/thanks` })
      await page.goto(url)
      await pay(page, VISA)
      await page.waitForURL(/thanks/)
      await page.goto(url)
    },
  ],
  ['an unknown path', async (page) => void (await page.goto(`${browsing.hosted.runtime.checkoutUrl}/none`))],
  [
    'an invoice',
    async (page) => {
      const { hosted } = browsing
      await page.goto(
        hosted.runtime.checkoutUrl +
          pathOf({ url: (await createSentInvoice(hosted)).hosted_invoice_url ?? '' }),
      )
    },
  ],
]

async function look(options: BrowserContextOptions, [name, open]: Scene): Promise<void> {
  await withPage(browsing.browser, options, async (page) => {
    await open(page)
    await check(page, name)
  })
}

for (const colorScheme of ['light', 'dark'] as const) {
  for (const scene of SCENES)
    test(`the page of ${scene[0]} has no accessibility violation in ${colorScheme} colors`, () =>
      look({ colorScheme }, scene))
}

for (const locale of LANGUAGES)
  test(`the page of ${LONGEST_PAGE[0]} has no accessibility violation in the language ${locale}`, () =>
    look({ locale }, LONGEST_PAGE))

test.run()
