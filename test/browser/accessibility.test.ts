import axe from 'axe-core'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { LANGUAGES } from '../../src/pages/languages/language.ts'
import { type Browsing, pay, startBrowsing, visit } from '../pages/browsing.ts'
import { card, pathOf, VISA } from '../pages/hosted.ts'
import { owedIn } from '../pages/owed.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('accessibility', undefined, 60_000)

interface Found {
  readonly id: string
  readonly impact: string | null
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

let browsing: Browsing

test.before(async () => {
  browsing = await startBrowsing()
  browsing.hosted.pages.isLocal = true
})

test.after(() => browsing?.close())

/** Fails for everything the checker finds, in all that it knows and not only in what it calls serious. */
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

/** The page with the most words. */
const WORDY: Scene = [
  'a subscription',
  async (page) => void (await page.goto((await browsing.hosted.checkout({ items: ITEMS })).url)),
]

const SCENES: readonly Scene[] = [
  WORDY,
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
    'faulty fields',
    async (page) => {
      await page.goto((await browsing.hosted.payment()).url)
      await page.click('form button')
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
    '3-D Secure',
    async (page) => {
      await page.goto((await browsing.hosted.payment()).url)
      await pay(page, card('4000000000003220'))
      await page.waitForSelector('button[value=approve]')
    },
  ],
  [
    'what was paid',
    async (page) => {
      await page.goto((await browsing.hosted.checkout({ items: ITEMS })).url)
      await pay(page, VISA)
      await page.waitForURL(/done/)
    },
  ],
  [
    'what was paid before',
    async (page) => {
      const { url } = await browsing.hosted.payment({ return_url: `${browsing.shopUrl}/thanks` })
      await page.goto(url)
      await pay(page, VISA)
      await page.waitForURL(/thanks/)
      await page.goto(url)
    },
  ],
  [
    'what is not there',
    async (page) => void (await page.goto(`${browsing.hosted.runtime.checkoutUrl}/none`)),
  ],
  [
    'an invoice',
    async (page) => {
      const { hosted } = browsing
      await page.goto(
        hosted.runtime.checkoutUrl + pathOf({ url: (await owedIn(hosted)).hosted_invoice_url ?? '' }),
      )
    },
  ],
]

async function look(options: BrowserContextOptions, [name, open]: Scene): Promise<void> {
  await visit(browsing.browser, options, async (page) => {
    await open(page)
    await check(page, name)
  })
}

for (const colorScheme of ['light', 'dark'] as const) {
  for (const scene of SCENES) test(`${scene[0]}, ${colorScheme}`, () => look({ colorScheme }, scene))
}

for (const locale of LANGUAGES) test(`${WORDY[0]}, in ${locale}`, () => look({ locale }, WORDY))

test.run()
