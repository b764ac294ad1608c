import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page, Route } from 'playwright-core'
import { handlePageRequest } from '../../src/pages/routes.ts'
import { launchBrowser } from '../support/chromium.ts'
import { assert, type suite } from '../support/suite.ts'
import { type Form, HostedPages } from './hosted-pages.ts'

/** A real browser, a server with the hosted pages, and a shop for `return_url`. */
interface BrowserSession {
  readonly hosted: HostedPages
  readonly browser: Browser
  readonly shopUrl: string
  /** The requests to the shop since the test last emptied the list. */
  readonly shopHits: string[]
  readonly close: () => Promise<void>
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function createPagesServer(current: () => BrowserSession): Server {
  return createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { method = 'GET', url = '/' } = request
    const { accept = '' } = request.headers
    const form = method === 'POST' ? Object.fromEntries(new URLSearchParams(body)) : null
    const { pathname: path, search } = new URL(url, 'http://pages')
    const acceptLanguage = request.headers['accept-language'] ?? ''
    const served = await handlePageRequest(
      { method, path, query: search.slice(1), form, accept, acceptLanguage },
      current().hosted.pages,
    )
    response.writeHead(served.status, served.headers).end(served.body ?? '')
  })
}

/** Returns the browser session of a suite, which is open from the first hook `before` to the end of the suite. */
export function useBrowserSession(test: ReturnType<typeof suite>): BrowserSession {
  const browsing = {} as { -readonly [Key in keyof BrowserSession]: BrowserSession[Key] }
  test.before(async () => {
    Object.assign(browsing, await startBrowserSession())
  })
  test.after(() => browsing.close?.())
  return browsing
}

async function startBrowserSession(): Promise<BrowserSession> {
  const shopHits: string[] = []
  const shop = createServer((request, response) => {
    if (request.url !== '/favicon.ico') shopHits.push(`${request.method} ${request.url}`)
    response.setHeader('content-type', 'text/html').end('<title>Shop</title>')
  })
  const pages = createPagesServer(() => browsing)
  const browsing: BrowserSession = {
    browser: await launchBrowser(),
    hosted: new HostedPages(await listen(pages)),
    shopUrl: await listen(shop),
    shopHits,
    async close() {
      await browsing.browser.close()
      shop.close()
      pages.close()
    },
  }
  return browsing
}

/** Makes timers of pages 20 times as fast, so that tests do not wait for the tick of a button or the next poll. */
const FAST_TIMERS = `{
  const { setTimeout: start } = window
  window.setTimeout = (work, ms = 0, ...args) => start(work, ms / 20, ...args)
}`

/** The profiles of each browser, by their options. */
const profiles = new WeakMap<Browser, Map<string, Promise<BrowserContext>>>()

function profileOf(browser: Browser, options: BrowserContextOptions): Promise<BrowserContext> {
  const own = profiles.get(browser) ?? new Map<string, Promise<BrowserContext>>()
  profiles.set(browser, own)
  const key = JSON.stringify(options)
  const profile = own.get(key) ?? openProfile(browser, options)
  own.set(key, profile)
  return profile
}

async function openProfile(browser: Browser, options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext(options)
  // An open page keeps its renderer process alive for later pages; starting a process takes longer than most visits.
  await context.newPage()
  return context
}

/** Opens a new page in the profile with these options, and closes it afterwards with the pages that `work` opened. */
export async function withTab(
  browser: Browser,
  options: BrowserContextOptions,
  work: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await profileOf(browser, options)
  const others = new Set(context.pages())
  try {
    await work(await context.newPage())
  } finally {
    await Promise.all(context.pages().map((page) => !others.has(page) && page.close()))
  }
}

/** Opens a new page. Policy violations, script errors, failed requests and dialogs fail the test. */
export async function withPage(
  browser: Browser,
  options: BrowserContextOptions,
  work: (page: Page) => Promise<void>,
): Promise<void> {
  const errors: string[] = []
  await withTab(browser, options, async (page) => {
    page.on('console', (message) => {
      if (/Content Security Policy|Refused/.test(message.text())) errors.push(message.text())
    })
    page.on('pageerror', (error) => errors.push(error.message))
    page.on('dialog', (dialog) => errors.push(`dialog ${dialog.message()}`))
    page.on('requestfailed', (request) => {
      const why = request.failure()?.errorText ?? ''
      // The back button aborts requests when the browser restores the page from its cache.
      if (why !== 'net::ERR_ABORTED') errors.push(`${request.url()} ${why}`)
    })
    await page.addInitScript(FAST_TIMERS)
    await work(page)
  })
  assert.equal(errors, [])
}

/** Fills in fields by name. */
export async function fill(page: Page, fields: Form): Promise<void> {
  for (const [name, value] of Object.entries(fields)) await page.fill(`#${name}`, value)
}

/**
 * Clicks a link or button and waits until the next page has loaded, or the form shows a notice. A click alone waits only
 * until navigation starts, and not for the script that sends forms.
 */
export async function press(page: Page, target: string | Locator): Promise<void> {
  await (typeof target === 'string' ? page.locator(target).first() : target).click()
  await page.locator('[data-state]').waitFor({ state: 'detached' })
  await page.waitForLoadState()
}

/** Fills in a card and presses the button. */
export async function pay(page: Page, fields: Form): Promise<void> {
  await fill(page, fields)
  await press(page, '.panel form button')
}

/** Calls a function with each form that a page sends, in place of the server. */
export async function onPost(page: Page, handle: (route: Route) => Promise<void>): Promise<void> {
  await page.route('**/*', (route) =>
    route.request().method() === 'POST' ? handle(route) : route.fallback(),
  )
}
