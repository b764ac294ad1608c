import type { Browser } from 'playwright-core'
import { LANGUAGES, negotiateLanguage } from '../../src/pages/languages/language.ts'
import { launchBrowser } from '../support/chromium.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('browser/fonts', undefined, 60_000)

let browser: Browser

test.before(async () => {
  browser = await launchBrowser()
})

test.after(() => browser?.close())

/** A character without a glyph in any font, which renders as the missing-glyph box. */
const UNASSIGNED = '\u{10fffd}'
const INVISIBLE = /^[\p{Cf}\p{Z}\p{Cc}]$/u

/** Returns the characters that render like a missing glyph. */
const FIND_MISSING = `((characters, unassigned) => {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 32
  const context = canvas.getContext('2d', { willReadFrequently: true })
  context.font = '16px system-ui, sans-serif'
  const draw = (character) => {
    context.clearRect(0, 0, 32, 32)
    context.fillText(character, 4, 22)
    return context.getImageData(0, 0, 32, 32).data.join()
  }
  const box = draw(unassigned)
  return characters.filter((character) => draw(character) === box)
})`

async function findMissing(text: string): Promise<string[]> {
  const characters = [...new Set(text)].filter((character) => !INVISIBLE.test(character))
  const page = await browser.newPage()
  const missing = await page.evaluate(
    `${FIND_MISSING}(${JSON.stringify(characters)}, ${JSON.stringify(UNASSIGNED)})`,
  )
  await page.close()
  return missing as string[]
}

/** Returns every message of a catalogue, with formatted amounts, dates and percentages, as JSON. */
function textsIn(tag: string): string {
  const { messages, formatMoney, formatDate, formatPercent } = negotiateLanguage(tag)
  const months = Array.from({ length: 12 }, (_, month) => formatDate(Date.UTC(2026, month, 29) / 1000))
  const amounts = ['eur', 'usd', 'jpy', 'kwd', 'sar'].map((currency) => formatMoney(-1_234_567_890, currency))
  return JSON.stringify([messages, months, amounts, formatPercent(7.25)])
}

for (const tag of LANGUAGES)
  test(`the fonts of the tests have a glyph for every character of the language ${tag}`, async () => {
    assert.equal(await findMissing(textsIn(tag)), [], 'test/support/chromium.ts lists the fonts')
  })

test('the check detects a character without a glyph', async () => {
  assert.equal(await findMissing('aあم\u{10fffe}'), ['\u{10fffe}'])
})

test.run()
