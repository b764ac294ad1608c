import { LOCALES } from '../../../src/domain/sessions/sessions.ts'
import { getLanguageName, LANGUAGES, negotiateLanguage } from '../../../src/pages/languages/language.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('language')

/** Returns text without direction marks and with plain spaces. */
function plain(text: string): string {
  return text.replaceAll('\u200f', '').replaceAll(/[\u00a0\u202f]/g, ' ')
}

const CHOICES: readonly (readonly [accepted: string | undefined, tag: string])[] = [
  [undefined, 'en'],
  ['', 'en'],
  ['de', 'de'],
  ['DE', 'de'],
  ['pt-br', 'pt-BR'],
  ['en-US,en;q=0.9', 'en-US'],
  ['nl-NL, nl;q=0.9, fr-CH;q=0.8, en;q=0.7', 'fr-CH'],
  ['de;q=0.5, ja;q=0.9', 'ja'],
  ['de;q=0, es;q=0.1', 'es'],
  ['ar-Arab-EG-u-nu-arab', 'ar-EG'],
  ['zh-Hant-TW', 'en'],
  ['*', 'en'],
  ['*;q=0.5, de', 'de'],
  [';;q=,,, de;q=2, <script>, de-', 'en'],
  [`${'x-y-z,'.repeat(2000)}fr`, 'fr'],
]

for (const [accepted, tag] of CHOICES) {
  test(`chooses the language ${tag} for Accept-Language ${String(accepted).slice(0, 40)}`, () => {
    assert.is(negotiateLanguage(accepted).tag, tag)
  })
}

/** The language for each Accept-Language header (row) and requested language (column). */
const REQUESTS = `
  accepted                   -      auto   xx     en     de     fr     es     pt     ja     ar     DE     de-CH
  -                          en     en     en     en     de     fr     es     pt     ja     ar     en     en
  en-GB                      en-GB  en-GB  en-GB  en-GB  de     fr     es     pt     ja     ar     en-GB  en-GB
  de-CH,fr-CH;q=0.9          de-CH  de-CH  de-CH  en     de-CH  fr-CH  es     pt     ja     ar     de-CH  de-CH
  nl,ar-EG;q=0.5,pt-BR;q=0.9 pt-BR  pt-BR  pt-BR  en     de     fr     es     pt-BR  ja     ar-EG  pt-BR  pt-BR
  de-AT;q=0,de;q=0.1         de     de     de     en     de     fr     es     pt     ja     ar     de     de
  de-AT;q=0                  en     en     en     en     de     fr     es     pt     ja     ar     en     en
`

const [[, ...requests] = [], ...rows] = REQUESTS.trim()
  .split('\n')
  .map((line) => line.trim().split(/ +/))

for (const [accepted = '', ...tags] of rows) {
  for (const [index, tag] of tags.entries()) {
    const requested = requests[index] === '-' ? null : requests[index]
    test(`chooses ${tag} for the requested language ${requested} and Accept-Language ${accepted}`, () => {
      assert.is(negotiateLanguage(accepted === '-' ? undefined : accepted, requested).tag, tag)
    })
  }
}

test('every locale of a session except auto is a language of the pages', () => {
  assert.equal(['auto', ...LANGUAGES].sort(), [...LOCALES].sort())
})

test('returns the name of every language in that language', () => {
  assert.is(
    LANGUAGES.map(getLanguageName).join(' '),
    'English Deutsch Français Español Português 日本語 العربية',
  )
})

test('sets the text direction rtl for Arabic only', () => {
  for (const tag of LANGUAGES) {
    assert.is(negotiateLanguage(tag).direction, tag === 'ar' ? 'rtl' : 'ltr', tag)
  }
})

const MONEY: readonly (readonly [tag: string, amount: number, currency: string, written: string])[] = [
  ['en', 0, 'eur', '€0.00'],
  ['en', 5, 'eur', '€0.05'],
  ['en', 100_000, 'eur', '€1,000.00'],
  ['en', 123_456_789, 'usd', '$1,234,567.89'],
  ['en', 1250, 'jpy', '¥1,250'],
  ['en', 1, 'kwd', 'KWD 0.001'],
  ['en', 999_999_999_999, 'idr', 'IDR 9,999,999,999.99'],
  ['en', 500, 'huf', 'HUF 5.00'],
  ['en', Number.MAX_SAFE_INTEGER, 'gbp', '£90,071,992,547,409.91'],
  ['de', 120_000, 'eur', '1.200,00 €'],
  ['de', 1250, 'jpy', '1.250 ¥'],
  ['fr', 120_000, 'eur', '1 200,00 €'],
  ['es', 1_234_567, 'kwd', '1234,567 KWD'],
  ['pt', 120_000, 'brl', 'R$ 1.200,00'],
  ['ja', 1250, 'jpy', '￥1,250'],
  ['ar-EG', 1_234_567, 'kwd', '١٬٢٣٤٫٥٦٧ د.ك.'],
]

for (const [tag, amount, currency, written] of MONEY) {
  test(`formats ${amount} ${currency} as ${written} in ${tag}`, () => {
    assert.is(plain(negotiateLanguage(tag).formatMoney(amount, currency)), written)
  })
}

test('throws for an amount that is not an integer and for an unknown currency', () => {
  const { formatMoney } = negotiateLanguage('en')
  assert.throws(() => formatMoney(1.5, 'eur'))
  assert.throws(() => formatMoney(1, 'EUR'))
})

test('formats dates in UTC and the Gregorian calendar', () => {
  const day = (tag: string, timestamp: number) => plain(negotiateLanguage(tag).formatDate(timestamp))
  assert.is(day('en', 1_709_251_199), 'February 29, 2024')
  assert.is(day('en-GB', 1_709_251_200), '1 March 2024')
  assert.is(day('de', 0), '1. Januar 1970')
  assert.is(day('ja', 0), '1970年1月1日')
  assert.is(day('ar-SA', 0), '١ يناير ١٩٧٠')
})

test('selects the plural form of the language', () => {
  const days = (tag: string, count: number) => {
    const language = negotiateLanguage(tag)
    return language.plural(language.messages.every.day, count)
  }
  assert.equal(
    [1, 2, 3, 11, 100].map((count) => days('ar', count)),
    ['كل يوم', 'كل يومين', 'كل 3 أيام', 'كل 11 يومًا', 'كل 100 يوم'],
  )
  assert.equal(
    [1, 2].map((count) => days('ja', count)),
    ['毎日', '2日ごと'],
  )
  assert.equal(
    [1, 1000].map((count) => days('en', count)),
    ['daily', 'every 1,000 days'],
  )
})

test('writes numbers in the digits of the language, but keeps digits in Latin names', () => {
  const { t, messages, translateError } = negotiateLanguage('ar-EG')
  assert.is(messages.errors.monthInvalid, 'أدخل شهر الانتهاء رقمًا من ١ إلى ١٢.')
  assert.is(
    translateError('Enter the security code of the card: 3 digits.'),
    'أدخل رمز أمان البطاقة: ٣ أرقام.',
  )
  assert.match(t('simulatedBankPage'), '\u20663-D Secure\u2069')
  assert.match(t('cardNotCharged', { last4: '0002' }), '0002')
  assert.is(negotiateLanguage('ar-MA').messages.errors.monthInvalid, 'أدخل شهر الانتهاء رقمًا من 1 إلى 12.')
})

test('isolates the direction of Latin text that starts with a digit in Arabic', () => {
  const texts = JSON.stringify(negotiateLanguage('ar').messages).replaceAll(/"\w+":/g, '')
  assert.equal(texts.match(/(?<!\u2066)\d+[\w -]*[a-z]/gi), null)
})

test('formats tax rates with four decimals', () => {
  assert.is(negotiateLanguage('en').formatPercent(7.1234), '7.1234%')
  assert.is(plain(negotiateLanguage('de').formatPercent(20)), '20 %')
})

test('limits the number of cached regional languages', () => {
  for (let n = 0; n < 26 * 26; n += 1) {
    const region = String.fromCharCode(65 + Math.floor(n / 26), 65 + (n % 26))
    assert.is(negotiateLanguage(`de-${region}`).tag, `de-${region}`)
  }
  assert.is(negotiateLanguage('de').t('pay', { amount: '5' }), '5 bezahlen')
})

test('only the test bar names the test mode, in every language', () => {
  for (const tag of LANGUAGES) {
    const { messages } = negotiateLanguage(tag)
    const named = Object.entries(messages).filter(([, text]) =>
      JSON.stringify(text).toLowerCase().includes(messages.testMode.toLowerCase()),
    )
    assert.equal(
      named.map(([key]) => key),
      ['testMode'],
      tag,
    )
  }
})

test.run()
