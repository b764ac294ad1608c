import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { inLanguage } from '../../pages/hosted-pages.ts'
import { CUSTOMER_SCENES } from '../../pages/scenes.ts'
import { launchBrowser } from '../../support/chromium.ts'
import { assert, suite } from '../../support/suite.ts'
import { FIND_LAYOUT_PROBLEMS } from './layout-problems.ts'
import { openScenePage } from './scene-page.ts'

const test = suite('browser/matrix/display-modes', undefined, 60_000)

let browser: Browser

test.before(async () => {
  browser = await launchBrowser()
})

test.after(() => browser?.close())

/** Fails when `find` returns problems for any page. */
async function checkEveryPage(
  tag: string,
  options: BrowserContextOptions,
  find: (page: Page) => Promise<unknown>,
): Promise<void> {
  const tab = await openScenePage(browser, options)
  const problems: string[] = []
  for (const [name, render] of CUSTOMER_SCENES) {
    await tab.open(await inLanguage(tag, render))
    for (const problem of (await find(tab.page)) as string[]) problems.push(`${name}: ${problem}`)
  }
  await tab.page.close()
  assert.equal(problems, [])
}

/** A window of 1280 × 800 px at 200 % has half as many CSS pixels, each twice as large. */
const ZOOMED = { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 }

for (const tag of ['en', 'de', 'ar', 'ja'])
  test(`every page in ${tag} fits a window at 200 % zoom`, () =>
    checkEveryPage(tag, ZOOMED, (page) => page.evaluate(FIND_LAYOUT_PROBLEMS)))

/** Returns the controls without a visible border or focus. A link needs an underline instead of a border. */
const FIND_INVISIBLE_CONTROLS = `(() => {
  const canvas = getComputedStyle(document.body).backgroundColor
  const isLine = (style, width, color) => style !== 'none' && parseFloat(width) > 0 && color !== canvas
  const controls = [...document.querySelectorAll('a, button, input, select, summary')]
  return controls.filter((control) => control.checkVisibility()).flatMap((control) => {
    const style = getComputedStyle(control)
    const { borderTopStyle, borderTopWidth, borderTopColor, textDecorationLine } = style
    const hasBorder = isLine(borderTopStyle, borderTopWidth, borderTopColor)
    const needsNoBorder = textDecorationLine === 'underline' || control.matches('summary, [type=checkbox], [type=radio]')
    control.focus({ focusVisible: true })
    const hasFocus = isLine(style.outlineStyle, style.outlineWidth, style.outlineColor)
    return [
      ...(hasBorder || needsNoBorder ? [] : [control.outerHTML + ' has no border']),
      ...(hasFocus ? [] : [control.outerHTML + ' has no visible focus']),
    ]
  })
})()`

for (const colorScheme of ['light', 'dark'] as const)
  test(`every control has a visible border and focus in forced ${colorScheme} colors`, () =>
    checkEveryPage('en', { forcedColors: 'active', colorScheme }, (page) =>
      page.evaluate(FIND_INVISIBLE_CONTROLS),
    ))

/** Returns the visible drawings that have the color of the background. */
const FIND_INVISIBLE_DRAWINGS = `(() => {
  const canvas = getComputedStyle(document.body).backgroundColor
  return [...document.querySelectorAll('main svg')]
    .filter((svg) => svg.checkVisibility() && getComputedStyle(svg).color === canvas)
    .map(({ outerHTML }) => outerHTML)
})()`

test('every drawing is visible in forced dark colors', () =>
  checkEveryPage('en', { forcedColors: 'active', colorScheme: 'dark' }, (page) =>
    page.evaluate(FIND_INVISIBLE_DRAWINGS),
  ))

test.run()
