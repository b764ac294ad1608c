import {
  listAccountHolderNameErrors,
  listCardErrors,
  listCardholderNameErrors,
} from '../../src/domain/cards/card-validation.ts'
import { getDeclineExplanation } from '../../src/domain/cards/declines.ts'
import { type IssuerBehavior, TEST_CARDS } from '../../src/domain/cards/test-cards.ts'
import { listIbanErrors } from '../../src/domain/cards/test-ibans.ts'
import { describeCodeError } from '../../src/pages/checkout/promotion-code-form.ts'
import { toExpiryErrors } from '../../src/pages/forms/card-expiry.ts'
import { LANGUAGES, negotiateLanguage } from '../../src/pages/languages/language.ts'
import { interpolate, interpolateMarkup } from '../../src/pages/languages/messages.ts'
import { html } from '../../src/pages/markup/html.ts'
import { assert, suite } from '../support/suite.ts'
import { NOW } from './hosted-pages.ts'

const test = suite('languages')

/** Returns every text of a catalogue with its path, for example `every.month.other`. */
function textsOf(catalogue: object, path = ''): [path: string, text: string][] {
  return Object.entries(catalogue).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[path + key, value]] : textsOf(value as object, `${path}${key}.`),
  )
}

function placeholdersIn(text: string): string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).sort()
}

const english = new Map(textsOf(negotiateLanguage('en').messages))
const others = LANGUAGES.filter((tag) => tag !== 'en')

for (const tag of others) {
  const texts = textsOf(negotiateLanguage(tag).messages)

  test(`the language ${tag} has every text and translates nearly all of them`, () => {
    const missing = [...english.keys()]
      .filter((path) => !/\.(one|other)$/.test(path))
      .filter((path) => !texts.some(([own]) => own === path))
    assert.equal(missing, [])
    const same = texts.filter(([path, text]) => english.get(path) === text).map(([path]) => path)
    assert.ok(same.length <= 12, `untranslated: ${same.join(', ')}`)
  })

  test(`the language ${tag} uses the same placeholders as English in every text`, () => {
    for (const [path, text] of texts) {
      const model = english.get(path) ?? english.get(path.replace(/\.\w+$/, '.other')) ?? ''
      // Plural forms for one or two may contain the number as a word.
      const names = placeholdersIn(model).filter((name) => name !== 'count' || !/\.(one|two)$/.test(path))
      assert.equal(placeholdersIn(text), names, `${tag} ${path}`)
    }
  })
}

const DECLINED = ['card_declined', 'incorrect_number', 'authentication_required', 'authentication_failed']

function declinesOf(issuer: IssuerBehavior): (readonly [string, string | null])[] {
  if (issuer.kind === 'challenge') return declinesOf(issuer.next)
  return issuer.kind === 'decline' ? [[issuer.code, issuer.decline_code]] : []
}

test('translates every domain error that a customer may see', () => {
  const declines = TEST_CARDS.flatMap(({ onSession, offSession }) => [onSession, ...offSession]).flatMap(
    declinesOf,
  )
  const blocked = ['fraudulent', 'pickup_card', 'do_not_retry', 'not_a_test_card'].map(
    (code) => ['card_declined', code] as const,
  )
  const words = [...DECLINED.map((code) => [code, null] as const), ...declines, ...blocked].map(
    (pair) => getDeclineExplanation(...pair).message,
  )
  const faulty = [
    {},
    { number: '4242424242424242', exp_month: 1, exp_year: 20, cvc: '1' },
    { number: '378282246310005', exp_month: 1, exp_year: 26, cvc: '1' },
    { number: '99', exp_month: 13, exp_year: 1 },
  ]
  const faults = [
    ...faulty.flatMap((card) => listCardErrors(card, NOW)),
    ...toExpiryErrors(listCardErrors({}, NOW)),
    ...listCardholderNameErrors('x'.repeat(300)),
    ...listCardholderNameErrors('4242424242424242'),
    ...listAccountHolderNameErrors(''),
    ...['', 'DE00', 'GB82WEST12345698765432'].flatMap(listIbanErrors),
  ]
  const codes = ['coupon_expired', 'coupon_exhausted', 'currency_mismatch', 'resource_missing']
  const unusable = codes.map((code) => describeCodeError({ code }))
  const said = new Set([...words, ...faults.map(({ message }) => message), ...unusable])
  assert.is(said.size, Object.keys(negotiateLanguage('en').messages.errors).length)
  for (const tag of others) {
    for (const text of said)
      assert.is.not(negotiateLanguage(tag).translateError(text), text, `${tag}: ${text}`)
  }
  assert.is(negotiateLanguage('de').translateError('Something else.'), 'Something else.')
})

test('does not replace placeholders inside inserted values, and escapes the values in markup', () => {
  assert.is(interpolate('{a} and {b}', { a: '{b}', b: 2 }), '{b} and 2')
  assert.is(
    String(interpolateMarkup('<{a}> {b}', { a: '<i>', b: html`<b>${'&'}</b>` })),
    '&lt;&lt;i&gt;&gt; <b>&amp;</b>',
  )
})

test.run()
