import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { createScenes } from '../../../src/cli/serve/dashboard.ts'
import { launchBrowser } from '../../support/chromium.ts'
import { openDaemon, type TestDaemon } from '../../support/daemon.ts'
import { assert } from '../../support/suite.ts'
import { AXE, findViolations } from '../axe.ts'

type DaemonOptions = Parameters<typeof openDaemon>[0]

interface ScreenOptions extends BrowserContextOptions {
  /** Messages of the console that do not fail the test. */
  readonly expectedError?: RegExp
}

/** A real server with a dashboard, and a real browser. */
export interface DashboardBrowser {
  readonly daemon: TestDaemon
  readonly browser: Browser
  /**
   * Signs a fresh profile in and opens a screen, such as `/payments`. Policy violations, script errors, failed requests and
   * error responses fail the test.
   */
  readonly withScreen: (
    path: string,
    work: (page: Page) => Promise<void>,
    options?: ScreenOptions,
  ) => Promise<void>
  readonly close: () => Promise<void>
}

/** Starts the server and the browser; the caller closes both. */
export async function openDashboardBrowser(options: DaemonOptions = {}): Promise<DashboardBrowser> {
  const daemon = await openDaemon({ createScenes, ...options })
  const browser = await launchBrowser()
  return {
    daemon,
    browser,
    async withScreen(path, work, { expectedError, ...contextOptions } = {}) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 844 }, ...contextOptions })
      const page = await context.newPage()
      const errors = recordErrors(page)
      try {
        await page.goto(daemon.newDashboardUrl?.() ?? '')
        await page.waitForURL(/\/dashboard$/)
        await page.goto(`${daemon.location.api_url}/dashboard${path}`)
        await page.locator('h1').first().waitFor()
        await work(page)
      } finally {
        await context.close()
      }
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

function recordErrors(page: Page): string[] {
  const errors: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || /Content Security Policy|Refused|Trusted/.test(message.text()))
      errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('dialog', (dialog) => errors.push(`dialog ${dialog.message()}`))
  return errors
}

const WIDTHS = [390, 768, 1280]

/**
 * Checks that the current screen does not scroll sideways and has no accessibility problems, in three widths, light and
 * dark. Returns the problems.
 */
export async function checkScreen(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  const problems: string[] = []
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 844 })
    // Drawings follow the new width in a later frame.
    const fits = page.waitForFunction('document.documentElement.scrollWidth <= innerWidth', undefined, {
      timeout: 5000,
    })
    await fits.catch(() => problems.push(`${width} px: scrolls sideways`))
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const violation of await findViolations(page, null))
        problems.push(`${width} px ${colorScheme}: ${violation}`)
    }
  }
  return problems
}
