import type { Page } from 'playwright-core'
import { negotiateLanguage } from '../../src/pages/languages/language.ts'
import { fill, pay, press, useBrowserSession, withPage } from '../pages/browser-session.ts'
import { VISA } from '../pages/hosted-pages.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('browser/card-expiry', undefined, 60_000)

const browsing = useBrowserSession(test)

async function open(work: (page: Page) => Promise<void>, options = {}): Promise<void> {
  const session = await browsing.hosted.payment({ return_url: `${browsing.shopUrl}/thanks` })
  await withPage(browsing.browser, { locale: 'en-US', ...options }, async (page) => {
    await page.goto(session.url)
    await page.focus('#expiry')
    await work(page)
  })
}

const expiryOf = (page: Page) => page.inputValue('#expiry')
const caretOf = (page: Page) => page.evaluate("document.getElementById('expiry').selectionStart")

/** Columns: typed characters, text while typing, text when the field has lost the focus. */
const TYPED = [
  ['1230', '12 / 30', '12 / 30'],
  ['12/30', '12 / 30', '12 / 30'],
  ['12/2030', '12 / 2030', '12 / 30'],
  ['122030', '12 / 2030', '12 / 30'],
  ['1/30', '1 / 30', '01 / 30'],
  ['130', '01 / 30', '01 / 30'],
  ['930', '09 / 30', '09 / 30'],
  ['12030', '12 / 030', '01 / 30'],
  ['127', '12 / 7', '12 / 7'],
  ['2030-12', '2030-12', '12 / 30'],
  ['12 30', '12 30', '12 / 30'],
  ['12 / 30', '12 / 30', '12 / 30'],
  ['12-30', '12-30', '12 / 30'],
  ['12', '12', '12'],
  ['soon', 'soon', 'soon'],
] as const

test('formats a typed expiry without losing digits', async () => {
  await open(async (page) => {
    for (const [typed, during, after] of TYPED) {
      await page.fill('#expiry', '')
      await page.focus('#expiry')
      await page.keyboard.type(typed)
      assert.is(await expiryOf(page), during, typed)
      await page.keyboard.press('Tab')
      assert.is(await expiryOf(page), after, typed)
    }
  })
})

test('the Backspace key deletes the digits of an expiry one by one, from the last', async () => {
  await open(async (page) => {
    await page.keyboard.type('1230')
    const texts: string[] = []
    for (let n = 0; n < 4; n += 1) {
      await page.keyboard.press('Backspace')
      texts.push(await expiryOf(page))
    }
    assert.equal(texts, ['12 / 3', '12', '1', ''])
    await page.keyboard.type('0931')
    await page.keyboard.press('Backspace')
    await page.keyboard.type('2')
    assert.is(await expiryOf(page), '09 / 32')
  })
})

test('keeps the caret and the other digits when the middle of an expiry is edited', async () => {
  await open(async (page) => {
    await page.keyboard.type('1230')
    await page.keyboard.press('Home')
    await page.keyboard.press('Delete')
    assert.is(await expiryOf(page), '2 / 30')
    await page.keyboard.type('0')
    assert.is(await expiryOf(page), '02 / 30')
    assert.is(await caretOf(page), 1)
    for (let n = 0; n < 5; n += 1) await page.keyboard.press('ArrowRight')
    for (const text of ['02 / 0', '02 /0', '02 0', '020', '00', '0', '0']) {
      await page.keyboard.press('Backspace')
      assert.is(await expiryOf(page), text)
    }
  })
})

test('completes a pasted expiry', async () => {
  await open(
    async (page) => {
      for (const [text, shown] of [
        ['11/2032', '11 / 32'],
        ['  1 / 30\n', '01 / 30'],
        ['1230', '12 / 30'],
        ['2030-12', '12 / 30'],
        ['١٢/٣٠', '12 / 30'],
        ['4242 4242 4242 4242', '4242 4242 4242 4242'],
      ] as const) {
        await page.fill('#expiry', '')
        await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
        await page.keyboard.press('Control+V')
        assert.is(await expiryOf(page), shown)
      }
    },
    { permissions: ['clipboard-read', 'clipboard-write'] },
  )
})

/** Sets the value as Chromium's autofill does: without an input type, and without focusing the field. */
const AUTOFILL = `(text) => {
  const field = document.querySelector('[autocomplete="cc-exp"]')
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, text)
  for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }))
}`

test('completes an expiry that the browser fills in', async () => {
  await open(async (page) => {
    await fill(page, { number: VISA['number'] ?? '', cvc: '123' })
    for (const text of ['12/30', '12/2030', '1230', '12 / 30', '2030-12']) {
      await page.evaluate(`(${AUTOFILL})(${JSON.stringify(text)})`)
      assert.is(await expiryOf(page), '12 / 30', text)
    }
    await press(page, 'form button')
    await page.waitForURL(/thanks/)
  })
})

test('shows the validation error of an expiry when the field loses the focus', async () => {
  const { errors } = negotiateLanguage('en').messages
  await open(async (page) => {
    for (const [text, error] of [
      ['12', errors.expiryInvalid],
      ['13/3', errors.expiryInvalid],
      ['13/30', errors.monthInvalid],
      ['12/3', errors.yearInvalid],
      ['12/25', errors.yearPast],
      ['02/26', errors.monthPast],
    ] as const) {
      await page.fill('#expiry', text)
      await page.keyboard.press('Tab')
      assert.is(await page.textContent('#expiry-error'), error, text)
      await page.fill('#expiry', '')
      await page.focus('#expiry')
    }
    await page.keyboard.type('1230')
    assert.not.ok(await page.isVisible('#expiry-error'))
  })
})

test('explains and accepts an expiry without JavaScript', async () => {
  await open(
    async (page) => {
      await pay(page, { ...VISA, expiry: '13/30' })
      assert.is(await page.textContent('#expiry-error'), negotiateLanguage('en').messages.errors.monthInvalid)
      assert.is(await page.getAttribute(':focus', 'id'), 'expiry')
      await pay(page, { ...VISA, cvc: '1', expiry: '1/30' })
      assert.is(await expiryOf(page), '01 / 30')
      await pay(page, { ...VISA, expiry: ' 12 - 2030 ' })
      await page.waitForURL(/thanks/)
    },
    { javaScriptEnabled: false },
  )
})

test.run()
