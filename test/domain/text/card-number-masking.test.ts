import fc from 'fast-check'
import { hasValidCheckDigit } from '../../../src/domain/cards/card-validation.ts'
import { TEST_CARDS } from '../../../src/domain/cards/test-cards.ts'
import { DomainError } from '../../../src/domain/core/domain-error.ts'
import { maskCardNumbers } from '../../../src/domain/text/card-number-masking.ts'
import { runCount } from '../../support/property.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/text/card-number-masking')

const MASKED = '[card number ending in 4242]'

/** Columns: text, masked text. */
const TABLE: readonly (readonly [text: string, masked: string])[] = [
  ["email '4242424242424242' is", `email '${MASKED}' is`],
  ['4242 4242 4242 4242', MASKED],
  ['5555-5555-5555-4444.', '[card number ending in 4444].'],
  ['378282246310005', '[card number ending in 0005]'],
  ['6205500000000000004', '[card number ending in 0004]'],
  ['4242424242424242, 5555555555554444', `${MASKED}, [card number ending in 4444]`],
  ['4242424242424242 5555555555554444', `${MASKED} [card number ending in 4444]`],
  ['https://a/4242424242424242?b', `https://a/${MASKED}?b`],
  ['/v1/4242%204242%2D4242%2d4242', `/v1/${MASKED}`],
  ['5%20555555555554444', '[card number ending in 4444]'],
  ['', ''],
  ['order4242424242424242x', `order${MASKED}x`],
  ['cus_4242424242424242', `cus_${MASKED}`],
  ['é4242424242424242é', `é${MASKED}é`],
  ['4242+4242+4242+4242', MASKED],
  ['4242.4242.4242.4242', MASKED],
  ['4242_4242_4242_4242', MASKED],
  ['4242/4242/4242/4242', MASKED],
  ['4242, 4242, 4242, 4242', MASKED],
  ['4242\u00a04242\u202f4242\u20094242', MASKED],
  ['4242\r\n4242\n4242\t4242', MASKED],
  ['4242\u200b4242\u00ad4242\u20144242', MASKED],
  ['"4242\\n4242\\u00a04242\\t4242"', `"${MASKED}"`],
  ['4242%C2%A04242%E2%80%AF4242%0A4242', MASKED],
  ['4242%25204242%2525204242%252D4242', MASKED],
  ['%34%32%34%32%34%32%34%32%34%32%34%32%34%32%34%32', MASKED],
  ['４２４２ ４２４２ ４２４２ ４２４２', MASKED],
  ['٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢', MASKED],
  ['𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟜𝟚𝟜𝟚𝟺𝟸𝟺𝟸', MASKED],
  ['%EF%BC%94242\\uff14242&#65300;2424242', MASKED],
  ['4242&nbsp;4242&#32;4242&amp;nbsp;4242', MASKED],
  ['4242&#x20;4242&#160;4242&thinsp;&ensp;4242', MASKED],
  ['4242%C2%A0%E2%80%AF%E2%80%83%C2%A04242%25C2%25A04242%E3%80%804242', MASKED],
  ['number[]=4242&number[]=4242&number[]=4242&number%5B%5D=4242', `number[]=${MASKED}`],
  ['42424242%C3%A942424242', '42424242%C3%A942424242'],
  ['&#9999999;４２', '&#9999999;４２'],
  ['100%4242424242424242', `100%${MASKED}`],
  ['tel 030 4242 4242 4242 4242', `tel 030 ${MASKED}`],
  ['4242 4242 4242 4242 03', `${MASKED} 03`],
  ['4 2 4 2 4 2 4 2 4 2 4 2 4 2 4 2', MASKED],
  ['4242424242424241 is mistyped on purpose', '[card number ending in 4241] is mistyped on purpose'],
  ['4242424242424243', '4242424242424243'],
  ['4242 4242 4242 4243', '4242 4242 4242 4243'],
  ['start_date 1704067200000 looks like milliseconds', 'start_date 1704067200000 looks like milliseconds'],
  ['from 1 to 999999999999', 'from 1 to 999999999999'],
  ['to 9007199254740991', 'to 9007199254740991'],
  ['424242424242', '424242424242'],
  ['42424242424242424242', '42424242424242424242'],
  ['4242     4242     4242     4242', '4242     4242     4242     4242'],
  ['2026-11-22 13:09:32.123 took 42 ms', '2026-11-22 13:09:32.123 took 42 ms'],
  ['42424242-4242-4242-8aaa-424242424242', '42424242-4242-4242-8aaa-424242424242'],
  ['4242424242424242aaaaaaaaaaaaaaaa', '4242424242424242aaaaaaaaaaaaaaaa'],
  ["'DE89370400440532013000' is", "'[IBAN ending in 3000]' is"],
  ['de89 3704 0044 0532 0130 00', '[IBAN ending in 3000]'],
  ['GB82WEST12345698765432', '[IBAN ending in 5432]'],
  ['DE89370400440532013001', 'DE89370400440532013001'],
  ['cus_DE89370400440532013000', 'cus_DE89370400440532013000'],
]

for (const [text, masked] of TABLE) {
  test(`${text === masked ? 'masks nothing in' : 'masks the card numbers and IBANs in'} '${text}'`, () => {
    assert.is(maskCardNumbers(text), masked)
  })
}

test('a domain error masks card numbers in its message, param and validation errors', () => {
  const number = '4242424242424242'
  const { message, details } = new DomainError('parameter_unknown', `Unknown: ${number}.`, {
    param: number,
    errors: [{ code: 'parameter_unknown', message: `Unknown: ${number}.`, param: number }],
  })
  assert.not.match(`${message} ${JSON.stringify(details)}`, /42424242/)
})

const SEPARATORS = [
  ...[
    '',
    ' ',
    '-',
    '+',
    '.',
    '_',
    '/',
    ',',
    '%20',
    '%2D',
    '%2B',
    '%C2%A0',
    '%0A',
    '&nbsp;',
    '&#32;',
    '%E2%80%AF%C2%A0',
    '%2520',
    '\\n',
    '\\u00a0',
  ],
  ...[
    '\u00a0',
    '\u2007',
    '\u202f',
    '\u2009',
    '\u3000',
    '\n',
    '\r\n',
    '\t',
    '\u200b',
    '\u2010',
    '\u2013',
    ' - ',
  ],
] as const

// A digit next to the number would extend it, even if the digit is escaped, such as `%33`. `%` or `%4` before it would
// start an escape.
const noDigitAtEnd = (text: string) => (/(?:\d|%.?)$/.test(text) ? `${text}x` : text)
const noDigitAtStart = (text: string) => (/^[\d%&\\]/.test(text) ? `x${text}` : text)
const words = fc.string({
  unit: fc.constantFrom(...'abcXYZé漢 .,:;!?_/+-=&#()[]{}<>|~*%\\\n\u00a00123456789'),
  maxLength: 30,
})

function joinDigits(number: string, separators: readonly string[]): string {
  return [...number].map((digit, at) => digit + (separators[at] ?? '')).join('')
}

test('masks the number of every test card, with any separators in any string', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...TEST_CARDS),
      fc.array(fc.constantFrom(...SEPARATORS), { minLength: 18, maxLength: 18 }),
      fc.tuple(words.map(noDigitAtEnd), words.map(noDigitAtStart)),
      ({ number }, separators, [before, after]) => {
        const formatted = joinDigits(number, separators.slice(0, number.length - 1))
        const masked = maskCardNumbers(before + formatted + after)
        assert.not(masked.includes(formatted), masked)
        assert.match(masked, '[card number ending in')
      },
    ),
    runCount(2000),
  )
})

/** The digit zero of several scripts. */
const ZEROS = ['0', '٠', '०', '๐', '０', '𝟎', '𝟬'].map((zero) => zero.codePointAt(0) ?? 0)

test('masks the number of every test card in digits of any script', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...TEST_CARDS),
      fc.array(fc.constantFrom(...ZEROS), { minLength: 19, maxLength: 19 }),
      ({ number }, zeros) => {
        const digits = [...number].map((digit, at) => String.fromCodePoint((zeros[at] ?? 0) + Number(digit)))
        assert.is(
          maskCardNumbers(`a ${digits.join('')} b`),
          `a [card number ending in ${number.slice(-4)}] b`,
        )
      },
    ),
    runCount(500),
  )
})

test('does not mask a number of 13 to 19 digits that fails the Luhn check', () => {
  const digits = fc.stringMatching(/^[0-9]{13,19}$/)
  fc.assert(
    fc.property(digits, (number) => {
      fc.pre(!hasValidCheckDigit(number) && number !== '4242424242424241')
      assert.is(maskCardNumbers(`amount ${number} is too large`), `amount ${number} is too large`)
    }),
    runCount(500),
  )
})

test('exactly one test card fails the Luhn check', () => {
  const failing = TEST_CARDS.map(({ number }) => number).filter((number) => !hasValidCheckDigit(number))
  assert.equal(failing, ['4242424242424241'])
})

// With quadratic time, each of these strings would take minutes.
const HOSTILE = [
  '4 ',
  '0 ',
  '4',
  '%25',
  '%',
  '\\u',
  '4%20',
  '\u00a0',
  '4242-',
  'a1',
  '1    ',
  '4242424242424243 ',
  '４',
  '4&nbsp;',
  '&amp;',
  '%f0%25',
  '&a',
]

for (const piece of HOSTILE) {
  test(`masks a long text in linear time: ${JSON.stringify(piece)} repeated`, () => {
    const text = piece.repeat(200_000 / piece.length)
    assert.type(maskCardNumbers(text), 'string')
  })
}

test('a domain error without details has empty details', () => {
  assert.equal(new DomainError('invalid_json', 'No.').details, {})
})

test.run()
