import type { Browser } from 'playwright-core'
import { CUSTOMER_SCENES } from '../../pages/scenes.ts'
import { launchBrowser } from '../../support/chromium.ts'
import { assert, suite } from '../../support/suite.ts'
import { openScenePage } from './scene-page.ts'

const test = suite('browser/matrix/display-modes', undefined, 120_000)

let browser: Browser

test.before(async () => {
  browser = await launchBrowser()
})

test.after(() => browser?.close())

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

/** Returns the visible drawings that have the color of the background. */
const FIND_INVISIBLE_DRAWINGS = `(() => {
  const canvas = getComputedStyle(document.body).backgroundColor
  return [...document.querySelectorAll('main svg')]
    .filter((svg) => svg.checkVisibility() && getComputedStyle(svg).color === canvas)
    .map(({ outerHTML }) => outerHTML)
})()`

test('every control has a visible border and focus, and every drawing is visible, in forced colors', async () => {
  const { open, page } = await openScenePage(browser, { forcedColors: 'active' })
  const problems: string[] = []
  for (const [name, render] of CUSTOMER_SCENES) {
    await open(await render())
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const find of [FIND_INVISIBLE_CONTROLS, FIND_INVISIBLE_DRAWINGS]) {
        for (const problem of (await page.evaluate(find)) as string[])
          problems.push(`${name} ${colorScheme}: ${problem}`)
      }
    }
  }
  assert.equal(problems, [])
})

test.run()
