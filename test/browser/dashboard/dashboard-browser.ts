import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { createScenes } from '../../../src/cli/serve/dashboard.ts'
import { withTab } from '../../pages/browser-session.ts'
import { launchBrowser } from '../../support/chromium.ts'
import { openDaemon, type TestDaemon } from '../../support/daemon.ts'
import { assert, type suite } from '../../support/suite.ts'
import { isFullRun } from '../../support/test-level.ts'
import { findViolations } from '../axe.ts'
import { findTextProblems } from '../text-layout.ts'

interface ScreenOptions extends BrowserContextOptions {
  /** Messages of the console that do not fail the test. */
  readonly expectedError?: RegExp
}

/** A real server with a dashboard, and a real browser. */
interface DashboardBrowser {
  readonly daemon: TestDaemon
  readonly browser: Browser
  /**
   * Opens a screen, such as `/payments`, in a profile that is signed in. Policy violations, script errors, failed requests
   * and error responses fail the test.
   */
  readonly withScreen: (
    path: string,
    work: (page: Page) => Promise<void>,
    options?: ScreenOptions,
  ) => Promise<void>
  readonly close: () => Promise<void>
}

/** Returns the server and the browser of a suite, which are open from the first hook `before` to the end of the suite. */
export function useDashboardBrowser(test: ReturnType<typeof suite>): DashboardBrowser {
  const dashboard = {} as { -readonly [Key in keyof DashboardBrowser]: DashboardBrowser[Key] }
  test.before(async () => {
    Object.assign(dashboard, await openDashboardBrowser())
  })
  test.after(() => dashboard.close?.())
  return dashboard
}

async function openDashboardBrowser(): Promise<DashboardBrowser> {
  const daemon = await openDaemon({ createScenes })
  const browser = await launchBrowser()
  const storageState = await signIn(browser, daemon.newDashboardUrl?.() ?? '')
  return {
    daemon,
    browser,
    async withScreen(path, work, { expectedError, ...contextOptions } = {}) {
      const profile = { viewport: { width: 1280, height: 844 }, storageState, ...contextOptions }
      const errors: string[] = []
      await withTab(browser, profile, async (page) => {
        recordErrors(page, errors)
        await page.goto(`${daemon.location.api_url}/dashboard${path}`)
        await page.locator('h1').first().waitFor()
        await work(page)
      })
      assert.equal(
        errors.filter((error) => !expectedError?.test(error)),
        [],
      )
    },
    async close() {
      await browser.close()
      await daemon.stop()
    },
  }
}

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>

/** Signs in with a one-time address, and returns the cookie of the session. */
async function signIn(browser: Browser, url: string): Promise<StorageState> {
  const page = await browser.newPage()
  await page.goto(url)
  await page.waitForURL(/\/dashboard$/)
  const state = await page.context().storageState()
  await page.close()
  return state
}

function recordErrors(page: Page, errors: string[]): void {
  page.on('console', (message) => {
    if (message.type() === 'error' || /Content Security Policy|Refused|Trusted/.test(message.text()))
      errors.push(`${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('dialog', (dialog) => errors.push(`dialog ${dialog.message()}`))
}

/** A JavaScript condition that is true when the screen does not scroll sideways. */
export const FITS = 'document.documentElement.scrollWidth <= innerWidth'
const MAX_WAIT_MS = 20_000

/**
 * Returns whether a condition becomes true, which is checked in each frame. The content security policy of the
 * dashboard forbids `page.waitForFunction`, which evaluates a string in each frame.
 */
export function becomesTrue(page: Page, condition: string): Promise<boolean> {
  return page.evaluate(`new Promise((resolve) => {
    const end = performance.now() + ${MAX_WAIT_MS}
    const check = () => {
      if (${condition}) resolve(true)
      else if (performance.now() > end) resolve(false)
      else requestAnimationFrame(check)
    }
    check()
  })`)
}

const WIDTHS = [320, 390, 768, 1280]

/** The color schemes in which to run all accessibility rules at a width: each once, and in a full run both at every width. */
function schemesAt(width: number): readonly ('light' | 'dark')[] {
  if (isFullRun()) return ['light', 'dark']
  if (width === 390) return ['light']
  return width === 1280 ? ['dark'] : []
}

/**
 * Checks the current screen for sideways scrolling and clipped or overlapping text at four widths. Checks accessibility
 * on a phone and on a desktop, in light and dark colors. Returns the problems.
 */
export async function checkScreen(page: Page): Promise<string[]> {
  const problems: string[] = []
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 844 })
    // The plots adapt to the new width in a later frame.
    if (!(await becomesTrue(page, FITS))) problems.push(`${width} px: scrolls sideways`)
    for (const problem of await findTextProblems(page)) problems.push(`${width} px: ${problem}`)
    for (const colorScheme of schemesAt(width)) {
      await page.emulateMedia({ colorScheme })
      for (const violation of await findViolations(page, null))
        problems.push(`${width} px ${colorScheme}: ${violation}`)
    }
  }
  return problems
}
