const MIN_DIGITS = 13
const MAX_DIGITS = 19
const MAX_SEPARATOR_CHARACTERS = 4
/** The test card with a wrong check digit. */
const MISTYPED_TEST_CARD = '4242424242424241'
/** A masked number is shorter than a number of which each digit is escaped. */
const MOST_SHORTENED = 20

/** A character of several bytes, as escaped for a URL. */
const BYTES = '%(?:25)*[c-f][0-9a-f](?:%(?:25)*[89ab][0-9a-f]){1,3}'
/** Escapes of URLs, also encoded twice, of JSON and of HTML, and digits that are not ASCII. */
const ESCAPE = new RegExp(
  [
    `(?<bytes>${BYTES})`,
    '%(?:25)*(?<byte>[0-9a-f]{2})',
    '\\\\u(?<unit>[0-9a-f]{4})',
    '\\\\[nrtvf]',
    '&(?:amp;)*(?:#(?<decimal>[0-9]{1,7})|#x(?<hex>[0-9a-f]{1,6})|[a-z]{2,8});',
    '&(?:amp;)*[a-z_]{1,40}(?:\\[\\]|%5b%5d)=',
    '(?<digit>\\p{Nd})(?<![0-9])',
  ].join('|'),
  'giu',
)
/** What tells that a text may hold one of these. */
const MAY_BE_ESCAPED = /[%\\&]|[^\0-\x7f]/
/** Any of these, whatever their number. */
const HAS_OTHER_DIGIT = /\p{Nd}(?<![0-9])/u
const OTHER_DIGIT = /\p{Nd}(?<![0-9])/gu
const LETTER_OR_NUMBER = /[\p{L}\p{N}]/u
/** UUIDs and digests are no card numbers, whatever digits they happen to have. */
const HEX_ID =
  /(?<![0-9a-z])(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})(?![0-9a-z])/gi
const HEX_LETTER = /[a-f]/i

/** A card number in a text: its place, and its last four digits. */
interface Found {
  readonly start: number
  readonly end: number
  readonly last4: string
}

/**
 * The text with every card number replaced by its last four digits. A card number has 13 to 19 digits that begin as a
 * network's and pass the Luhn check, written in groups with up to four characters between them that are neither letters
 * nor digits, or escaped for a URL or JSON. Takes time linear in the length.
 */
export function maskCardNumbers(text: string): string {
  let masked = ''
  let end = 0
  for (const found of cardNumbersIn(text)) {
    masked += `${text.slice(end, found.start)}[card number ending in ${found.last4}]`
    end = found.end
  }
  return end === 0 ? text : masked + text.slice(end)
}

/** The first `most` characters of a text whose card numbers are masked, so that no cut leaves a part of one. */
export function cutMasked(text: string, most: number): string {
  const masked = maskCardNumbers(text.slice(0, most * MOST_SHORTENED))
  return masked.length > most ? `${masked.slice(0, most)}…` : masked
}

function cardNumbersIn(text: string): readonly Found[] {
  if (!hasEnoughDigits(text)) return []
  const found = findPlain(text)
  return MAY_BE_ESCAPED.test(text) ? merged([...found, ...findEscaped(text)]) : merged(found)
}

// Most texts have few digits, and need no closer look.
function hasEnoughDigits(text: string): boolean {
  let count = 0
  for (let at = 0; at < text.length && count < MIN_DIGITS; at += 1) {
    if (isDigit(text.charCodeAt(at))) count += 1
  }
  return count === MIN_DIGITS || HAS_OTHER_DIGIT.test(text)
}

const ZERO = 48

function isDigit(code: number): boolean {
  return code >= ZERO && code <= ZERO + 9
}

/** The digits of a text. A card number begins and ends where a group of digits does. */
interface Digits {
  readonly values: readonly number[]
  /** Where each is in the text. */
  readonly places: readonly number[]
  /** What is before each: no other character, a separator, or more than that. */
  readonly befores: readonly ('nothing' | 'separator' | 'other')[]
}

function digitsOf(text: string): Digits {
  const values: number[] = []
  const places: number[] = []
  const befores: Digits['befores'][number][] = []
  let last = Number.NEGATIVE_INFINITY
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (!isDigit(code)) continue
    values.push(code - ZERO)
    places.push(at)
    befores.push(at === last + 1 ? 'nothing' : between(text, last + 1, at))
    last = at
  }
  return { values, places, befores }
}

function between(text: string, from: number, to: number): 'separator' | 'other' {
  const isShort = to - from <= MAX_SEPARATOR_CHARACTERS
  return isShort && !LETTER_OR_NUMBER.test(text.slice(from, to)) ? 'separator' : 'other'
}

function findPlain(text: string): Found[] {
  const digits = digitsOf(text.replace(HEX_ID, (id) => (HEX_LETTER.test(id) ? 'x'.repeat(id.length) : id)))
  const isValid = createLuhnCheck(digits.values)
  const found: Found[] = []
  for (let first = 0; first < digits.values.length; first += 1) {
    if (digits.befores[first] === 'nothing' || !beginsAsNetwork(digits.values, first)) continue
    const last = lastFrom(first, digits, isValid)
    if (last === null) continue
    const [start = 0, end = 0] = [digits.places[first], digits.places[last]]
    found.push({ start, end: end + 1, last4: digits.values.slice(last - 3, last + 1).join('') })
  }
  return found
}

/** The last digit of the longest card number that begins at one; null when none does. */
function lastFrom(first: number, { values, befores }: Digits, isValid: LuhnCheck): number | null {
  let found: number | null = null
  for (let last = first; last < Math.min(values.length, first + MAX_DIGITS); last += 1) {
    if (last > first && befores[last] === 'other') break
    const isWhole = last - first + 1 >= MIN_DIGITS && befores[last + 1] !== 'nothing'
    if (isWhole && isValid(first, last)) found = last
  }
  return found
}

// ISO/IEC 7812-1. Timestamps and most amounts begin otherwise.
function beginsAsNetwork(values: readonly number[], at: number): boolean {
  const first = values[at] ?? 0
  const second = values[at + 1] ?? 0
  if (first === 2) return second >= 2 && second <= 7
  return (first >= 3 && first <= 6) || (first === 8 && second === 1)
}

type LuhnCheck = (first: number, last: number) => boolean

/** The Luhn check of any part of some digits, at the same cost for each: sums up to every digit are kept. */
function createLuhnCheck(values: readonly number[]): LuhnCheck {
  const sums = [new Uint32Array(values.length + 1), new Uint32Array(values.length + 1)] as const
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] ?? 0
    const doubled = value > 4 ? 2 * value - 9 : 2 * value
    for (const parity of [0, 1] as const) {
      sums[parity][at + 1] = (sums[parity][at] ?? 0) + (at % 2 === parity ? value : doubled)
    }
  }
  return (first, last) => {
    // The last digit counts once, the one before it twice, and so on.
    const sum = sums[last % 2 === 0 ? 0 : 1]
    const rest = ((sum[last + 1] ?? 0) - (sum[first] ?? 0)) % 10
    return rest === 0 || (rest === 9 && values.slice(first, last + 1).join('') === MISTYPED_TEST_CARD)
  }
}

/** Looks into the text as it is without its escapes. */
function findEscaped(text: string): Found[] {
  const pieces: string[] = []
  // Where each character of the plain text begins in the text.
  const starts: number[] = []
  let end = 0
  const addUntil = (until: number) => {
    pieces.push(text.slice(end, until))
    for (let at = end; at < until; at += 1) starts.push(at)
  }
  for (const match of text.matchAll(ESCAPE)) {
    addUntil(match.index)
    const plain = unescaped(match)
    pieces.push(plain)
    for (let at = 0; at < plain.length; at += 1) starts.push(match.index)
    end = match.index + match[0].length
  }
  addUntil(text.length)
  starts.push(text.length)
  const place = (index: number) => starts[index] ?? text.length
  return findPlain(pieces.join('')).map((found) => ({
    ...found,
    start: place(found.start),
    end: place(found.end),
  }))
}

// A byte from 80 on that is no whole character stands for a space of some kind.
function unescaped({ groups = {} }: RegExpExecArray): string {
  const { bytes, byte, unit, decimal, hex, digit } = groups
  if (digit !== undefined) return folded(digit)
  if (bytes !== undefined) return folded(decoded(bytes))
  if (byte !== undefined) return Number.parseInt(byte, 16) > 0x7f ? ' ' : characterOf(byte, 16)
  if (decimal !== undefined) return characterOf(decimal, 10)
  return characterOf(unit ?? hex ?? '20', 16)
}

function characterOf(digits: string, radix: number): string {
  const code = Number.parseInt(digits, radix)
  return code > 0x10ffff ? ' ' : folded(String.fromCodePoint(code))
}

function decoded(escaped: string): string {
  return Buffer.from(escaped.replaceAll(/%(?:25)*/g, ''), 'hex').toString('utf8')
}

/** The text with digits of all scripts as ASCII digits. */
function folded(text: string): string {
  return text.replaceAll(OTHER_DIGIT, (digit) => String(digitValue(digit)))
}

const digitValues = new Map<string, number>()

// Unicode encodes the digits of a script in one run from 0 to 9; some runs follow one another.
function digitValue(digit: string): number {
  const known = digitValues.get(digit)
  if (known !== undefined) return known
  const code = digit.codePointAt(0) ?? 0
  let start = code
  while (HAS_OTHER_DIGIT.test(String.fromCodePoint(start - 1))) start -= 1
  const value = (code - start) % 10
  digitValues.set(digit, value)
  return value
}

function merged(found: readonly Found[]): readonly Found[] {
  const result: Found[] = []
  for (const next of found.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1)
    if (last === undefined || next.start >= last.end) result.push(next)
    else if (next.end > last.end) result[result.length - 1] = { ...next, start: last.start }
  }
  return result
}
