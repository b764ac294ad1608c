import { checkCard, checkCardName } from '../../src/domain/card-checks.ts'
import { declineMessage } from '../../src/domain/declines.ts'
import { type Issuer, TEST_CARDS } from '../../src/domain/test-cards.ts'
import { chooseLanguage, LANGUAGES } from '../../src/pages/languages/language.ts'
import { fill, fillMarkup } from '../../src/pages/languages/messages.ts'
import { html } from '../../src/pages/markup/html.ts'
import { assert, suite } from '../support/suite.ts'
import { NOW } from './hosted.ts'

const test = suite('languages')

/** Every text of a catalogue by its path, such as `every.month.other`. */
function textsOf(catalogue: object, path = ''): [path: string, text: string][] {
  return Object.entries(catalogue).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[path + key, value]] : textsOf(value as object, `${path}${key}.`),
  )
}

function namesIn(text: string): string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).sort()
}

const english = new Map(textsOf(chooseLanguage('en').messages))
const others = LANGUAGES.filter((tag) => tag !== 'en')

for (const tag of others) {
  const texts = textsOf(chooseLanguage(tag).messages)

  test(`${tag} has every text and its own words for nearly all`, () => {
    const missing = [...english.keys()]
      .filter((path) => !/\.(one|other)$/.test(path))
      .filter((path) => !texts.some(([own]) => own === path))
    assert.equal(missing, [])
    const same = texts.filter(([path, text]) => english.get(path) === text).map(([path]) => path)
    assert.ok(same.length <= 12, `untranslated: ${same.join(', ')}`)
  })

  test(`${tag} puts the same values into every sentence`, () => {
    for (const [path, text] of texts) {
      const model = english.get(path) ?? english.get(path.replace(/\.\w+$/, '.other')) ?? ''
      // A word for one or two of something says the number itself.
      const names = namesIn(model).filter((name) => name !== 'count' || !/\.(one|two)$/.test(path))
      assert.equal(namesIn(text), names, `${tag} ${path}`)
    }
  })
}

const DECLINED = ['card_declined', 'incorrect_number', 'authentication_required', 'authentication_failed']

function declinesOf(issuer: Issuer): (readonly [string, string | null])[] {
  if (issuer.kind === 'challenge') return declinesOf(issuer.next)
  return issuer.kind === 'decline' ? [[issuer.code, issuer.decline_code]] : []
}

test('every word the rules have for a buyer is translated', () => {
  const declines = TEST_CARDS.flatMap(({ onSession, offSession }) => [onSession, ...offSession]).flatMap(
    declinesOf,
  )
  const blocked = ['fraudulent', 'pickup_card', 'do_not_retry', 'not_a_test_card'].map(
    (code) => ['card_declined', code] as const,
  )
  const words = [...DECLINED.map((code) => [code, null] as const), ...declines, ...blocked].map((pair) =>
    declineMessage(...pair),
  )
  const faulty = [
    {},
    { number: '4242424242424242', exp_month: 1, exp_year: 20, cvc: '1' },
    { number: '378282246310005', exp_month: 1, exp_year: 26, cvc: '1' },
    { number: '99', exp_month: 13, exp_year: 1 },
  ]
  const faults = [
    ...faulty.flatMap((card) => checkCard(card, NOW)),
    ...checkCardName('x'.repeat(300)),
    ...checkCardName('4242424242424242'),
  ]
  const said = new Set([...words, ...faults.map(({ message }) => message)])
  assert.is(said.size, Object.keys(chooseLanguage('en').messages.said).length)
  for (const tag of others) {
    for (const text of said) assert.is.not(chooseLanguage(tag).translate(text), text, `${tag}: ${text}`)
  }
  assert.is(chooseLanguage('de').translate('Something else.'), 'Something else.')
})

test('values are filled in once and escaped in markup', () => {
  assert.is(fill('{a} and {b}', { a: '{b}', b: 2 }), '{b} and 2')
  assert.is(
    String(fillMarkup('<{a}> {b}', { a: '<i>', b: html`<b>${'&'}</b>` })),
    '&lt;&lt;i&gt;&gt; <b>&amp;</b>',
  )
})

test.run()
