import type { Browser, BrowserContextOptions, Page, Route } from 'playwright-core'
import { HostedPages, type ServedPage } from '../../pages/hosted-pages.ts'

const ORIGIN = 'http://pages.test'
const PATH = '/scene'

/** A tab that shows rendered responses one after another, which is faster than a new tab for each. */
export interface ScenePage {
  readonly page: Page
  /** Opens a response. Later navigations of the page receive an empty 204. */
  readonly open: (response: ServedPage) => Promise<void>
  /** Violations of the content security policy, script errors and requests to other sites by the open page. */
  readonly errors: () => readonly string[]
}

/** Opens a tab for rendered responses. */
export async function openScenePage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<ScenePage> {
  const page = await browser.newPage(options)
  const assets = new HostedPages()
  let errors: string[] = []
  let next: ServedPage | null = null
  page.on('console', (message) => {
    if (/Content Security Policy|Refused/.test(message.text())) errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(error.message))
  const fulfil = (route: Route, { status, headers, body }: ServedPage) =>
    route.fulfill({ status, headers: { ...headers }, body })
  await page.route('**', async (route) => {
    const request = route.request()
    const { origin, pathname } = new URL(request.url())
    if (!request.isNavigationRequest()) {
      if (origin !== ORIGIN) errors.push(`requests ${request.url()}`)
      return fulfil(route, await assets.get(pathname))
    }
    if (next === null || pathname !== PATH) return route.fulfill({ status: 204 })
    const response = next
    next = null
    return fulfil(route, response)
  })
  return {
    page,
    async open(response) {
      errors = []
      for (let isOpen = false; !isOpen; ) {
        next = response
        // An automatic navigation of the previous page may abort this navigation.
        isOpen = await page.goto(ORIGIN + PATH).then(
          () => true,
          (error: Error) => {
            if (!error.message.includes('ERR_ABORTED')) throw error
            return false
          },
        )
      }
    },
    errors: () => errors,
  }
}
