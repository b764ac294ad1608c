import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../../support/chromium.ts'
import { assert, suite } from '../../support/suite.ts'
import { FIND_INVISIBLE } from './forced-colors.ts'

const test = suite('browser/matrix/forced-colors', undefined, 60_000)

let browser: Browser
let page: Page

test.before(async () => {
  browser = await launchBrowser()
  page = await browser.newPage({ forcedColors: 'active' })
})

test.after(() => browser?.close())

const PLAIN_LINK = '<a href="/" style="text-decoration: none">Terms</a>'
const HIDDEN_DRAWING = '<svg style="forced-color-adjust: none; color: Canvas"></svg>'

const CASES: readonly (readonly [what: string, html: string, problem: RegExp | null])[] = [
  ['a button without a border', '<button style="border: 0">Pay</button>', /<button.*has no border/],
  ['a link in text without an underline', `<p>${PLAIN_LINK}</p>`, /<a .*has no border/],
  ['no link in the header without an underline', `<header>${PLAIN_LINK}</header>`, null],
  ['a field without a visible focus', '<input style="outline: none">', /<input.*has no visible focus/],
  [
    'a drawing in the color of the background',
    `<main>${HIDDEN_DRAWING}</main>`,
    /<svg.*color of the background/,
  ],
  ['no plain controls', '<button>Pay</button> <a href="/">Terms</a> <input type="checkbox">', null],
]

for (const [what, html, problem] of CASES)
  test(`finds ${what}`, async () => {
    await page.setContent(`<body style="background: Canvas">${html}`)
    const found = (await page.evaluate(FIND_INVISIBLE)) as string[]
    assert.is(found.length, problem === null ? 0 : 1)
    if (problem !== null) assert.match(found[0] ?? '', problem)
  })

test('the check of forced colors does not move the focus', async () => {
  await page.setContent('<button id="first">Pay</button> <button>Cancel</button>')
  await page.locator('#first').focus()
  await page.evaluate(FIND_INVISIBLE)
  assert.is(await page.evaluate('document.activeElement.id'), 'first')
})

test.run()
