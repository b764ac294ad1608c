import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { inLanguage } from '../../pages/hosted-pages.ts'
import type { PageScene } from '../../pages/scenes.ts'
import { launchBrowser } from '../../support/chromium.ts'
import { assert, suite } from '../../support/suite.ts'
import { AXE, findViolations } from '../axe.ts'
import { FIND_LAYOUT_PROBLEMS } from './layout-problems.ts'
import { openScenePage, type ScenePage } from './scene-page.ts'

const WIDTHS = [320, 390, 768, 1280]
const COLOR_SCHEMES = ['light', 'dark'] as const
/** The accessibility rules whose result depends on the size of the window or the colors. */
const VIEW_RULES = ['color-contrast', 'target-size', 'scrollable-region-focusable', 'link-in-text-block']

/** Opens every `details` of the page, or closes the ones that were opened. */
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
 * Checks a page at every width in both color schemes. The layout does not depend on the colors and is checked once per
 * width, with `details` closed and open. All accessibility rules run once; at the other widths and colors only the rules
 * whose result can differ there.
 */
async function checkViews(page: Page, name: string): Promise<string[]> {
  const problems: string[] = []
  let rules: readonly string[] | null = null
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 844 })
    const atWidth = async (what: string, found: Promise<unknown>) => {
      for (const problem of (await found) as string[]) problems.push(`${width} px${what}: ${problem}`)
    }
    await atWidth('', page.evaluate(FIND_LAYOUT_PROBLEMS))
    await page.evaluate(OPEN_DETAILS)
    await atWidth(', details open', page.evaluate(FIND_LAYOUT_PROBLEMS))
    for (const colorScheme of COLOR_SCHEMES) {
      await page.emulateMedia({ colorScheme })
      await atWidth(` ${colorScheme}`, findViolations(page, rules))
      await picture(page, `${name}-${width}-${colorScheme}`)
      rules = VIEW_RULES
    }
    await page.evaluate(CLOSE_DETAILS)
  }
  return problems
}

async function look(tab: ScenePage, [name, render]: PageScene, tag: string): Promise<void> {
  await tab.open(await inLanguage(tag, render))
  await tab.page.evaluate(AXE)
  assert.equal(await checkViews(tab.page, `${name}-${tag}`), [])
  assert.equal(tab.errors(), [])
}

/** Registers and runs a test for each page in each language. */
export function testPages(name: string, tags: readonly string[], scenes: readonly PageScene[]): void {
  const test = suite(`browser/matrix/${name}`, undefined, 60_000)
  let browser: Browser
  let tab: ScenePage

  test.before(async () => {
    browser = await launchBrowser()
    tab = await openScenePage(browser)
  })

  test.after(() => browser?.close())

  for (const tag of tags) {
    for (const scene of scenes)
      test(`the page ${scene[0]} in ${tag} fits every width and is accessible in light and dark colors`, () =>
        look(tab, scene, tag))
  }

  test.run()
}
