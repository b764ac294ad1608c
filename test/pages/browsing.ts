import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { servePage } from '../../src/pages/routes.ts'
import { launchBrowser } from '../support/chromium.ts'
import { assert } from '../support/suite.ts'
import { type Form, Hosted } from './hosted.ts'

/** A real browser, the pages on an address of their own, and a shop that buyers come back to. */
export interface Browsing {
  readonly hosted: Hosted
  readonly browser: Browser
  readonly shopUrl: string
  /** What the shop was asked for since it was last emptied. */
  readonly shopHits: string[]
  /** Makes the pages believe that the browser wants no HTML, so that they redirect. */
  acceptInstead: string | undefined
  readonly close: () => Promise<void>
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function createPagesServer(current: () => Browsing): Server {
  return createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { method = 'GET', url = '/' } = request
    const form = method === 'POST' ? Object.fromEntries(new URLSearchParams(body)) : null
    const accept = current().acceptInstead ?? request.headers.accept ?? ''
    const { pathname: path, search } = new URL(url, 'http://pages')
    const acceptLanguage = request.headers['accept-language'] ?? ''
    const answer = await servePage(
      { method, path, query: search.slice(1), form, accept, acceptLanguage },
      current().hosted.pages,
    )
    response.writeHead(answer.status, answer.headers).end(answer.body)
  })
}

/** Starts all of it; the caller closes it. */
export async function startBrowsing(): Promise<Browsing> {
  const shopHits: string[] = []
  const shop = createServer((request, response) => {
    if (request.url !== '/favicon.ico') shopHits.push(`${request.method} ${request.url}`)
    response.setHeader('content-type', 'text/html').end('<title>Shop</title>')
  })
  const pages = createPagesServer(() => browsing)
  const browsing: Browsing = {
    browser: await launchBrowser(),
    hosted: new Hosted(await listen(pages)),
    shopUrl: await listen(shop),
    shopHits,
    acceptInstead: undefined,
    async close() {
      await browsing.browser.close()
      shop.close()
      pages.close()
    },
  }
  return browsing
}

/** Opens pages in a fresh profile; whatever the policy blocks, a script error or a dialog fails the test. */
export async function visit(
  browser: Browser,
  options: BrowserContextOptions,
  work: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext(options)
  const faults: string[] = []
  const page = await context.newPage()
  page.on('console', (message) => {
    if (/Content Security Policy|Refused/.test(message.text())) faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('dialog', (dialog) => faults.push(`dialog ${dialog.message()}`))
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? ''
    // The back button aborts a request that the browser's own copy of the page makes needless.
    if (why !== 'net::ERR_ABORTED') faults.push(`${request.url()} ${why}`)
  })
  await work(page)
  await context.close()
  assert.equal(faults, [])
}

/** Types into the fields of those names. */
export async function fill(page: Page, fields: Form): Promise<void> {
  for (const [name, value] of Object.entries(fields)) await page.fill(`#${name}`, value)
}

/** Clicks what leads to another page; resolves when that is whole. A click by itself waits only until it begins. */
export async function press(page: Page, what: string | Locator): Promise<void> {
  await (typeof what === 'string' ? page.locator(what).first() : what).click()
  await page.waitForLoadState()
}

/** Types a card and presses the button. */
export async function pay(page: Page, fields: Form): Promise<void> {
  await fill(page, fields)
  await press(page, 'form button')
}
