import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { inLanguage } from '../../pages/hosted-pages.ts'
import type { PageScene } from '../../pages/scenes.ts'
import { launchBrowser } from '../../support/chromium.ts'
import { assert, suite } from '../../support/suite.ts'
import { findViolations } from '../axe.ts'
import { FIND_INVISIBLE } from './forced-colors.ts'
import { FIND_LAYOUT_PROBLEMS } from './layout-problems.ts'
import { openScenePage, type ScenePage } from './scene-page.ts'
import { type LanguageTag, type View, viewsOf } from './views.ts'

/** The accessibility rules whose result depends on the size of the window or the colors. */
const VIEW_RULES = ['color-contrast', 'target-size', 'scrollable-region-focusable', 'link-in-text-block']

/** Opens every `details` of the page, or closes the elements that were opened. */
const OPEN_DETAILS = `document.querySelectorAll('details:not([open])').forEach((one) => {
  one.open = true
  one.dataset.opened = ''
})`
const CLOSE_DETAILS = `document.querySelectorAll('[data-opened]').forEach((one) => {
  one.open = false
  delete one.dataset.opened
})`

/** Saves a screenshot in the folder of the SCREENSHOTS variable, for manual review. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS']
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}

/**
 * Checks the layout of a page in each view, with `details` closed and open. In views with accessibility rules, it also
 * checks these rules and the visibility of controls and drawings in forced colors.
 */
async function checkViews(page: Page, name: string, views: readonly View[]): Promise<string[]> {
  const problems: string[] = []
  for (const { viewport, colorScheme, rules } of views) {
    const view = `${viewport.width}-${colorScheme}`
    const check = async (what: string, found: Promise<unknown>) => {
      for (const problem of (await found) as string[]) problems.push(`${view}${what}: ${problem}`)
    }
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    await check('', page.evaluate(FIND_LAYOUT_PROBLEMS))
    await page.evaluate(OPEN_DETAILS)
    await check(' details open', page.evaluate(FIND_LAYOUT_PROBLEMS))
    await picture(page, `${name}-${view}`)
    if (rules !== 'none') {
      await check('', findViolations(page, rules === 'all' ? null : VIEW_RULES))
      await page.emulateMedia({ forcedColors: 'active' })
      await check(' in forced colors', page.evaluate(FIND_INVISIBLE))
      await page.emulateMedia({ forcedColors: 'none' })
    }
    await page.evaluate(CLOSE_DETAILS)
  }
  return problems
}

interface MatrixOptions {
  readonly tags: readonly LanguageTag[]
  readonly scenes: readonly PageScene[]
  /** Whether to check every view of each page (default: in a full run). */
  readonly isFull?: boolean
}

/** Registers and runs a test for each page in each language. */
export function testPages(suiteName: string, { tags, scenes, isFull }: MatrixOptions): void {
  const test = suite(`browser/matrix/${suiteName}`, undefined, 60_000)
  let browser: Browser
  let tab: ScenePage

  test.before(async () => {
    browser = await launchBrowser()
    tab = await openScenePage(browser)
  })

  test.after(() => browser?.close())

  for (const tag of tags) {
    for (const [index, [name, render]] of scenes.entries()) {
      const views = viewsOf({ index, name }, tag, isFull)
      if (views.length === 0) continue
      test(`the page ${name} in ${tag} fits the window and is accessible in light and dark colors`, async () => {
        await tab.open(await inLanguage(tag, render))
        assert.equal(await checkViews(tab.page, `${name}-${tag}`, views), [])
        assert.equal(tab.errors(), [])
      })
    }
  }

  test.run()
}
