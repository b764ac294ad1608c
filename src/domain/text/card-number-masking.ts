import { maskIbans } from './iban-masking.ts'

const MIN_DIGITS = 13
const MAX_DIGITS = 19
const MAX_SEPARATOR_CHARACTERS = 4
/** The test card with a wrong check digit, which is masked too. */
const MISTYPED_TEST_CARD = '4242424242424241'
/** The maximum factor by which masking shortens a text, reached by numbers whose digits are all escaped. */
const MAX_SHORTENING_FACTOR = 20

/** Matches a character of several bytes, as escaped for a URL. */
const BYTES = '%(?:25)*[c-f][0-9a-f](?:%(?:25)*[89ab][0-9a-f]){1,3}'
/** Patterns of escapes in URLs (also encoded twice), JSON and HTML, and of digits that are not ASCII. */
const ESCAPES = [
  `(?<bytes>${BYTES})`,
  '%(?:25)*(?<byte>[0-9a-f]{2})',
  '\\\\u(?<unit>[0-9a-f]{4})',
  '\\\\[nrtvf]',
  '&(?:amp;)*(?:#(?<decimal>[0-9]{1,7})|#x(?<hex>[0-9a-f]{1,6})|[a-z]{2,8});',
  '&(?:amp;)*[a-z_]{1,40}(?:\\[\\]|%5b%5d)=',
  '(?<digit>\\p{Nd})(?<![0-9])',
].join('|')
/** Matches every text that may contain one of `ESCAPES`, faster than a search for each escape. */
const MAY_BE_ESCAPED = /[%\\&]|[^\0-\x7f]/
/** Matches UUIDs and digests, whose digits are never card numbers. */
const HEX_ID =
  /(?<![0-9a-z])(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})(?![0-9a-z])/gi
const HEX_LETTER = /[a-f]/i

/** The position of a card number in a string, and its last four digits. */
interface CardNumberMatch {
  readonly start: number
  readonly end: number
  readonly last4: string
}

/**
 * Returns the text with every card number and IBAN replaced by its last four characters. A card number has 13 to 19
 * digits with the prefix of a card network that pass the Luhn check. Up to four characters that are neither letters nor
 * digits may separate groups of digits. Digits may be escaped for a URL, JSON or HTML. The search takes linear time.
 */
export function maskCardNumbers(text: string): string {
  let masked = ''
  let end = 0
  for (const found of findCardNumbers(text)) {
    masked += `${text.slice(end, found.start)}[card number ending in ${found.last4}]`
    end = found.end
  }
  return maskIbans(masked + text.slice(end))
}

/** Masks card numbers, then truncates the text to `maxCharacters`, so that no part of a card number remains. */
export function maskAndTruncate(text: string, maxCharacters: number): string {
  const masked = maskCardNumbers(text.slice(0, maxCharacters * MAX_SHORTENING_FACTOR))
  return masked.length > maxCharacters ? `${masked.slice(0, maxCharacters)}…` : masked
}

function findCardNumbers(text: string): readonly CardNumberMatch[] {
  if (!hasEnoughDigits(text)) return []
  const found = findPlain(text)
  return MAY_BE_ESCAPED.test(text)
    ? mergeOverlapping([...found, ...findEscaped(text)])
    : mergeOverlapping(found)
}

// Most strings have few digits, so skip the expensive search for card numbers.
function hasEnoughDigits(text: string): boolean {
  let count = 0
  for (let at = 0; at < text.length && count < MIN_DIGITS; at += 1) {
    if (isDigit(text.charCodeAt(at))) count += 1
  }
  return count === MIN_DIGITS || hasOtherDigit(text)
}

// Patterns with Unicode classes are not constants: creating these patterns would slow down the start of every command.
function hasOtherDigit(text: string): boolean {
  return /\p{Nd}(?<![0-9])/u.test(text)
}

const ZERO = 48

function isDigit(code: number): boolean {
  return code >= ZERO && code <= ZERO + 9
}

/** The digits of a string. A card number begins and ends at the boundary of a group of digits. */
interface Digits {
  readonly values: readonly number[]
  /** The position of each digit in the text. */
  readonly positions: readonly number[]
  /** The text between each digit and the previous digit: no text, a separator, or other text. */
  readonly gaps: readonly ('none' | 'separator' | 'other')[]
}

function digitsOf(text: string): Digits {
  const values: number[] = []
  const positions: number[] = []
  const gaps: Digits['gaps'][number][] = []
  let last = Number.NEGATIVE_INFINITY
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (!isDigit(code)) continue
    values.push(code - ZERO)
    positions.push(at)
    gaps.push(at === last + 1 ? 'none' : gapBetween(text, last + 1, at))
    last = at
  }
  return { values, positions, gaps }
}

function gapBetween(text: string, from: number, to: number): 'separator' | 'other' {
  const isShort = to - from <= MAX_SEPARATOR_CHARACTERS
  return isShort && !/[\p{L}\p{N}]/u.test(text.slice(from, to)) ? 'separator' : 'other'
}

function findPlain(text: string): CardNumberMatch[] {
  const digits = digitsOf(text.replace(HEX_ID, (id) => (HEX_LETTER.test(id) ? 'x'.repeat(id.length) : id)))
  const found: CardNumberMatch[] = []
  for (let first = 0; first < digits.values.length; first += 1) {
    if (digits.gaps[first] === 'none' || !hasNetworkPrefix(digits.values, first)) continue
    const last = findLastDigit(first, digits)
    if (last === null) continue
    const [start = 0, end = 0] = [digits.positions[first], digits.positions[last]]
    found.push({ start, end: end + 1, last4: digits.values.slice(last - 3, last + 1).join('') })
  }
  return found
}

/** Returns the index of the last digit of the longest card number that begins at `first`, or null. */
function findLastDigit(first: number, { values, gaps }: Digits): number | null {
  let found: number | null = null
  // Luhn sums of the digits so far, for a last digit at an even and at an odd index.
  const sums: [number, number] = [0, 0]
  for (let last = first; last < Math.min(values.length, first + MAX_DIGITS); last += 1) {
    if (last > first && gaps[last] === 'other') break
    const value = values[last] ?? 0
    const doubled = value > 4 ? 2 * value - 9 : 2 * value
    const parity = last % 2 === 0 ? 0 : 1
    sums[parity] += value
    sums[parity === 0 ? 1 : 0] += doubled
    const isWhole = last - first + 1 >= MIN_DIGITS && gaps[last + 1] !== 'none'
    if (isWhole && isCardNumber(sums[parity], values.slice(first, last + 1))) found = last
  }
  return found
}

function isCardNumber(luhnSum: number, digits: readonly number[]): boolean {
  return luhnSum % 10 === 0 || (luhnSum % 10 === 9 && digits.join('') === MISTYPED_TEST_CARD)
}

// Checks the first digits by ISO/IEC 7812-1, with which timestamps and most amounts do not start.
function hasNetworkPrefix(values: readonly number[], at: number): boolean {
  const first = values[at] ?? 0
  const second = values[at + 1] ?? 0
  if (first === 2) return second >= 2 && second <= 7
  return (first >= 3 && first <= 6) || (first === 8 && second === 1)
}

/** Finds card numbers in the text after decoding its escapes. */
function findEscaped(text: string): CardNumberMatch[] {
  const pieces: string[] = []
  // The position in the original text for each character of the decoded text.
  const starts: number[] = []
  let end = 0
  const addUntil = (until: number) => {
    pieces.push(text.slice(end, until))
    for (let at = end; at < until; at += 1) starts.push(at)
  }
  for (const match of text.matchAll(new RegExp(ESCAPES, 'giu'))) {
    addUntil(match.index)
    const plain = decodeEscape(match)
    pieces.push(plain)
    for (let at = 0; at < plain.length; at += 1) starts.push(match.index)
    end = match.index + match[0].length
  }
  addUntil(text.length)
  starts.push(text.length)
  const originalIndex = (index: number) => starts[index] ?? text.length
  return findPlain(pieces.join('')).map((found) => ({
    ...found,
    start: originalIndex(found.start),
    end: originalIndex(found.end),
  }))
}

// Decodes an escape. A single byte above 0x7f is part of an encoded space, such as a no-break space.
function decodeEscape({ groups = {} }: RegExpExecArray): string {
  const { bytes, byte, unit, decimal, hex, digit } = groups
  if (digit !== undefined) return toAsciiDigits(digit)
  if (bytes !== undefined) return toAsciiDigits(decodeBytes(bytes))
  if (byte !== undefined) return Number.parseInt(byte, 16) > 0x7f ? ' ' : characterOf(byte, 16)
  if (decimal !== undefined) return characterOf(decimal, 10)
  return characterOf(unit ?? hex ?? '20', 16)
}

function characterOf(digits: string, radix: number): string {
  const code = Number.parseInt(digits, radix)
  return code > 0x10ffff ? ' ' : toAsciiDigits(String.fromCodePoint(code))
}

function decodeBytes(escaped: string): string {
  return Buffer.from(escaped.replaceAll(/%(?:25)*/g, ''), 'hex').toString('utf8')
}

/** Returns the text with the digits of all scripts as ASCII digits. */
function toAsciiDigits(text: string): string {
  return text.replaceAll(/\p{Nd}(?<![0-9])/gu, (digit) => String(digitValue(digit)))
}

const digitValues = new Map<string, number>()

// Unicode encodes the digits 0 to 9 of a script consecutively; some of these ranges are adjacent.
function digitValue(digit: string): number {
  const known = digitValues.get(digit)
  if (known !== undefined) return known
  const code = digit.codePointAt(0) ?? 0
  let start = code
  while (hasOtherDigit(String.fromCodePoint(start - 1))) start -= 1
  const value = (code - start) % 10
  digitValues.set(digit, value)
  return value
}

function mergeOverlapping(found: readonly CardNumberMatch[]): readonly CardNumberMatch[] {
  const result: CardNumberMatch[] = []
  for (const next of found.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1)
    if (last === undefined || next.start >= last.end) result.push(next)
    else if (next.end > last.end) result[result.length - 1] = { ...next, start: last.start }
  }
  return result
}
