import type { Browser } from 'playwright-core'
import { launchBrowser } from '../../support/chromium.ts'
import { assert, suite } from '../../support/suite.ts'
import { FIND_LAYOUT_PROBLEMS } from './layout-problems.ts'

const test = suite('browser/matrix/layout-problems', undefined, 60_000)

let browser: Browser

test.before(async () => {
  browser = await launchBrowser()
})

test.after(() => browser?.close())

const SCREEN_READER = 'position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%)'
const NARROW = 'width: 50px; white-space: nowrap'

const CASES: readonly (readonly [what: string, html: string, problems: readonly string[]])[] = [
  ['nothing in a paragraph that wraps', '<p>A long text that wraps at the end of the line</p>', []],
  [
    'a page that scrolls sideways',
    '<div style="width: 400px; height: 1px"></div>',
    ['the page is 400 px wide'],
  ],
  [
    'text that leaves the window on the left',
    '<p style="position: absolute; left: -20px; margin: 0">Total</p>',
    ['"Total" leaves the window'],
  ],
  [
    'text that leaves its box',
    `<button class="pay" style="${NARROW}">Pay the invoice</button>`,
    ['"Pay the invoice" leaves button.pay'],
  ],
  [
    'clipped text',
    `<p style="${NARROW}; overflow: hidden">A long text</p>`,
    ['p clips its text', '"A long text" leaves p'],
  ],
  [
    'text in a region that scrolls only without a keyboard',
    `<div style="overflow-x: auto"><p style="width: 400px; white-space: nowrap">${'word '.repeat(90)}`,
    [
      `"${'word '.repeat(8)}" leaves the window`,
      `"${'word '.repeat(8)}" leaves p`,
      `"${'word '.repeat(8)}" leaves div`,
    ],
  ],
  [
    'no text that a keyboard can scroll to',
    '<div style="overflow-x: auto" tabindex="0"><p style="width: 400px; white-space: nowrap">A text that is longer than the window of 320 px</p></div>',
    [],
  ],
  [
    'a region with scroll bars that leaves the window',
    `<div style="overflow-x: auto; width: 400px" tabindex="0"><p style="white-space: nowrap">${'word '.repeat(90)}`,
    ['the page is 400 px wide', `"${'word '.repeat(8)}" leaves the window`],
  ],
  ['a clipped value of a field', '<input value="4242 4242 4242 4242" size="4">', ['input clips its text']],
  ['overlapping texts', '<p>Total</p><p style="margin-top: -2.5em">Due</p>', ['"Total" overlaps "Due"']],
  [
    'a drawing on a text',
    '<p>Visa <svg width="20" height="20" style="margin-inline-start: -30px"></svg></p>',
    ['"Visa" overlaps svg'],
  ],
  [
    'a label on the content of its field',
    '<label style="position: absolute">Card</label><input style="padding: 0 9px">',
    ['"Card" overlaps input'],
  ],
  [
    'no label in the padding of its field',
    '<label style="position: absolute">Card</label><input style="padding: 24px 9px 0">',
    [],
  ],
  ['no text for screen readers only', `<p>Total</p><p style="${SCREEN_READER}">Total amount</p>`, []],
  ['no text in closed details', `<details><summary>More</summary><p style="${NARROW}">Long text`, []],
]

for (const [what, html, problems] of CASES)
  test(`finds ${what}`, async () => {
    const page = await browser.newPage({ viewport: { width: 320, height: 640 } })
    await page.setContent(`<body style="margin: 0">${html}`)
    assert.equal(await page.evaluate(FIND_LAYOUT_PROBLEMS), problems)
    await page.close()
  })

test.run()
