import type { Page } from 'playwright-core'
import { TEST_CARDS } from '../../src/domain/cards/test-cards.ts'
import { LANGUAGES, negotiateLanguage } from '../../src/pages/languages/language.ts'
import { findCardBrandName } from '../../src/presentation/card-brands.ts'
import { fill, pay, useBrowserSession, withPage } from '../pages/browser-session.ts'
import { VISA } from '../pages/hosted-pages.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('card-form', undefined, 60_000)

const browsing = useBrowserSession(test)

async function open(work: (page: Page) => Promise<void>, locale = 'en-US'): Promise<void> {
  const session = await browsing.hosted.payment({ return_url: `${browsing.shopUrl}/thanks` })
  await withPage(browsing.browser, { locale }, async (page) => {
    await page.goto(session.url)
    await work(page)
  })
}

async function errorOf(page: Page, name: string): Promise<string> {
  const place = page.locator(`#${name}-error`)
  return (await place.isVisible()) ? ((await place.textContent()) ?? '') : ''
}

test('groups the card number while typing and keeps the caret position', async () => {
  await open(async (page) => {
    await page.focus('#number')
    await page.keyboard.type('42424242424242')
    assert.is(await page.inputValue('#number'), '4242 4242 4242 42')
    for (let n = 0; n < 12; n += 1) await page.keyboard.press('ArrowLeft')
    await page.keyboard.type('99')
    assert.is(await page.inputValue('#number'), '4242 9942 4242 4242')
    assert.is(await page.evaluate("document.getElementById('number').selectionStart"), 7)
    await page.fill('#number', '378282246310005')
    assert.is(await page.inputValue('#number'), '3782 822463 10005')
    await page.fill('#number', '٤٢٤٢４２４２4242 42')
    assert.is(await page.inputValue('#number'), '4242 4242 4242 42')
  })
})

test('shows the brand of every test card, and no brand for other numbers', async () => {
  await open(async (page) => {
    for (const { number, brand } of TEST_CARDS) {
      await page.fill('#number', number)
      assert.is(await page.textContent('#brand'), findCardBrandName(brand) ?? '', number)
    }
    await page.fill('#number', '9999')
    assert.is(await page.textContent('#brand'), '')
  })
})

test('shows the logos of all card networks, and only the matching logo for a known number', async () => {
  const marks = (page: Page) =>
    page.evaluate(`[...document.querySelectorAll('.marks svg[class]')]
      .filter((one) => getComputedStyle(one).display !== 'none').map((one) => one.getAttribute('class')).join(' ')`)
  await open(async (page) => {
    const all = 'visa mastercard amex'
    for (const [number, shown] of [
      ['', all],
      ['4242', 'visa'],
      ['5555', 'mastercard'],
      ['3782', 'amex'],
      ['3056', ''],
      ['9999', all],
    ] as const) {
      await page.fill('#number', number)
      assert.is(await marks(page), shown, number)
    }
  })
})

/** Returns whether the brand overlaps the label or the digits of the number. */
const OVERLAPS = `(() => {
  const number = document.getElementById('number')
  const style = getComputedStyle(number)
  const digits = document.createElement('span')
  digits.textContent = number.value
  digits.style = 'position:absolute;white-space:pre;font-variant-numeric:tabular-nums'
  digits.style.font = style.font
  document.body.append(digits)
  const field = number.getBoundingClientRect()
  const left = field.left + parseFloat(style.borderLeftWidth) + parseFloat(style.paddingLeft)
  const typed = { left, right: left + digits.offsetWidth, top: field.top + parseFloat(style.paddingTop), bottom: field.bottom }
  digits.remove()
  const label = document.createRange()
  label.selectNodeContents(document.querySelector('label[for=number]'))
  const brand = document.getElementById('brand').getBoundingClientRect()
  return [typed, ...label.getClientRects()].some((one) =>
    one.left < brand.right && brand.left < one.right && one.top < brand.bottom && brand.top < one.bottom)
})()`

/** One card of each brand, because all card numbers of a brand have the same width. */
const BRAND_CARDS = [...new Map(TEST_CARDS.map((card) => [card.brand, card])).values()]

test('never draws the brand logo over the digits or the label', async () => {
  for (const [locale, width] of [
    ['en-US', 320],
    ['es', 320],
    ['ar', 320],
    ['en-US', 375],
    ['pt', 414],
    ['en-US', 800],
    ['en-US', 1280],
  ] as const) {
    await open(async (page) => {
      await page.setViewportSize({ width, height: 800 })
      for (const { number, brand } of BRAND_CARDS) {
        await page.fill('#number', number)
        assert.not.ok(await page.evaluate(OVERLAPS), `${brand} ${number} in ${locale} at ${width}`)
      }
    }, locale)
  }
})

/** Returns the labels that a mark or the name of the brand overlaps. */
const COVERED_LABELS = `[...document.querySelectorAll('.cell')].filter((cell) => {
  const label = cell.querySelector('label').getBoundingClientRect()
  const field = cell.querySelector('input').getBoundingClientRect()
  const marks = [...cell.querySelectorAll('.marks > *')].map((one) => one.getBoundingClientRect())
  return label.right > field.right || label.left < field.left || marks.some(({ left, right, top, bottom }) =>
    left < label.right && label.left < right && top < label.bottom && label.top < bottom)
}).map((cell) => cell.textContent)`

test('never draws a logo over a label, in any language', async () => {
  for (const locale of LANGUAGES) {
    await open(async (page) => {
      for (const width of [320, 390, 768, 1280]) {
        await page.setViewportSize({ width, height: 844 })
        for (const number of ['', '3782', '3056']) {
          await page.fill('#number', number)
          assert.equal(await page.evaluate(COVERED_LABELS), [], `${number} in ${locale} at ${width}`)
        }
      }
    }, locale)
  }
})

test('shows an error when a field loses focus and hides the error when the field is corrected', async () => {
  await open(async (page) => {
    await page.focus('#cvc')
    assert.is(await errorOf(page, 'number'), '')
    await fill(page, {
      number: '4242424242424241',
      expiry: '02/26',
      cvc: '1',
      name: '4242424242424242',
    })
    await page.focus('#number')
    const { errors } = negotiateLanguage('en').messages
    assert.is(await errorOf(page, 'number'), errors.numberInvalid)
    assert.is(await page.getAttribute('#number', 'aria-describedby'), 'number-error')
    assert.is(await errorOf(page, 'cvc'), errors.code3)
    assert.is(await errorOf(page, 'name'), errors.nameIsNumber)
    await fill(page, { number: VISA['number'] ?? '', cvc: '123', name: 'Ada' })
    for (const name of ['number', 'cvc', 'name']) assert.is(await errorOf(page, name), '')
    assert.is(await page.getAttribute('#number', 'aria-describedby'), null)
    await page.click('form button')
    assert.is(await errorOf(page, 'expiry'), errors.monthPast)
    assert.is(await page.getAttribute(':focus', 'id'), 'expiry')
    await pay(page, { expiry: '03/26' })
    await page.waitForURL(/thanks/)
  })
})

test('does not submit a form that the server would reject as invalid', async () => {
  await open(async (page) => {
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.method()))
    await page.click('form button')
    assert.is(await page.locator('.field-error:visible').count(), 3)
    assert.equal(asked, [])
  })
})

test('shows validation errors in the language of the page', async () => {
  await open(async (page) => {
    await page.click('form button')
    assert.is(await errorOf(page, 'number'), negotiateLanguage('ar').messages.errors.numberMissing)
    assert.is(await page.getAttribute('html', 'dir'), 'rtl')
    assert.is(await page.getAttribute('html', 'lang'), 'ar-EG')
  }, 'ar-EG')
})

test.run()
