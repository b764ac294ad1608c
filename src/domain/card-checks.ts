export type CardBrand = 'visa' | 'mastercard' | 'amex' | 'discover' | 'diners' | 'jcb' | 'unionpay'

export type CardEntry = string | number | null | undefined

/** A card as somebody entered it: text on a page, integers or text in the API. */
export interface CardFields {
  readonly number?: CardEntry
  readonly exp_month?: CardEntry
  readonly exp_year?: CardEntry
  readonly cvc?: CardEntry
}

export interface Card {
  readonly number: string
  readonly exp_month: number
  readonly exp_year: number
  readonly cvc: string
}

export interface CardProblem {
  readonly code:
    | 'card_number_missing'
    | 'incorrect_number'
    | 'invalid_expiry_month'
    | 'invalid_expiry_year'
    | 'invalid_cvc'
    | 'parameter_invalid_string'
  readonly param: keyof CardFields | 'name'
  readonly message: string
}

const CENTURY = 2000
const MAX_NAME_CHARACTERS = 256
const LIKE_A_CARD_NUMBER = /(?:\p{Nd}[^\p{L}\p{Nd}]*){12}/u
const CONTROL_CHARACTER = /\p{Cc}/u

/** The prefixes of card numbers by network, following ISO/IEC 7812-1; the first that fits tells. */
export const BRAND_PREFIXES: readonly (readonly [brand: CardBrand, prefix: RegExp])[] = [
  ['visa', /^4/],
  ['mastercard', /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/],
  ['amex', /^3[47]/],
  ['discover', /^(6011|64[4-9]|65)/],
  ['diners', /^(30[0-5]|3095|36|3[89])/],
  ['jcb', /^35(2[89]|[3-8])/],
  ['unionpay', /^(62|81)/],
]

/** Removes the spaces and dashes that people write between the digits of a card number. */
export function normalizeCardNumber(text: string): string {
  return text.replace(/[\s\u2010-\u2015-]/g, '')
}

/** Tells whether a text is 12 to 19 digits that end in the right check digit, following ISO/IEC 7812-1. */
export function passesLuhn(number: string): boolean {
  if (!/^\d{12,19}$/.test(number)) return false
  let sum = 0
  for (let at = 0; at < number.length; at += 1) {
    const value = Number(number[at]) * ((number.length - at) % 2 === 0 ? 2 : 1)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}

/** Names the card network that owns the prefix of a number, known or not, following ISO/IEC 7812-1. */
export function brandOf(number: string): CardBrand | 'unknown' {
  const digits = normalizeCardNumber(number)
  return BRAND_PREFIXES.find(([, prefix]) => prefix.test(digits))?.[0] ?? 'unknown'
}

/** Tells whether a card's last valid month, in UTC, is over at a moment in Unix seconds. */
export function isExpiredCard(card: { exp_month: number; exp_year: number }, now: number): boolean {
  const date = new Date(now * 1000)
  const monthsLeft = (card.exp_year - date.getUTCFullYear()) * 12 + card.exp_month - (date.getUTCMonth() + 1)
  return monthsLeft < 0
}

function textOf(entry: CardEntry): string {
  return entry === null || entry === undefined ? '' : String(entry).trim()
}

/** Reads a card as it was entered, year in four digits; a month or year that `checkCard` refuses becomes NaN. */
export function parseCard(fields: CardFields): Card {
  const month = textOf(fields.exp_month)
  const year = textOf(fields.exp_year)
  return {
    number: normalizeCardNumber(textOf(fields.number)),
    exp_month: /^(0?[1-9]|1[0-2])$/.test(month) ? Number(month) : Number.NaN,
    exp_year: /^(\d{2}|\d{4})$/.test(year) ? Number(year) + (year.length === 2 ? CENTURY : 0) : Number.NaN,
    cvc: textOf(fields.cvc),
  }
}

function numberProblems({ number }: Card): CardProblem[] {
  if (number === '')
    return [{ code: 'card_number_missing', param: 'number', message: 'Enter a card number.' }]
  if (passesLuhn(number)) return []
  const message = 'This card number is not valid. Check the number and enter it again.'
  return [{ code: 'incorrect_number', param: 'number', message }]
}

function monthProblem(message: string): CardProblem {
  return { code: 'invalid_expiry_month', param: 'exp_month', message }
}

function yearProblem(message: string): CardProblem {
  return { code: 'invalid_expiry_year', param: 'exp_year', message }
}

function expiryProblems({ exp_month, exp_year }: Card, now: number | null): CardProblem[] {
  const problems: CardProblem[] = []
  if (Number.isNaN(exp_month)) problems.push(monthProblem('Enter the expiry month as a number from 1 to 12.'))
  if (Number.isNaN(exp_year)) {
    problems.push(yearProblem('Enter the expiry year in two or four digits, such as 30 or 2030.'))
  } else if (now !== null && exp_year < new Date(now * 1000).getUTCFullYear()) {
    problems.push(yearProblem("The card's expiry year is in the past. Check it, or use another card."))
  } else if (now !== null && isExpiredCard({ exp_month, exp_year }, now)) {
    problems.push(monthProblem("The card's expiry month is in the past. Check it, or use another card."))
  }
  return problems
}

function cvcProblems({ number, cvc }: Card): CardProblem[] {
  const brand = brandOf(number)
  // A number of no known network is refused for itself, so either length of code is right beside it.
  const lengths = brand === 'unknown' ? [3, 4] : [brand === 'amex' ? 4 : 3]
  if (/^\d+$/.test(cvc) && lengths.includes(cvc.length)) return []
  const message = `Enter the security code of the card: ${lengths.join(' or ')} digits.`
  return [{ code: 'invalid_cvc', param: 'cvc', message }]
}

/**
 * Lists every fault in how a card is written, in field order, and no message repeats an entry; without `now`, in Unix
 * seconds, no card is past.
 */
export function checkCard(fields: CardFields, now: number | null): CardProblem[] {
  const card = parseCard(fields)
  return [...numberProblems(card), ...expiryProblems(card, now), ...cvcProblems(card)]
}

/** Lists what is wrong with a cardholder's name: a card number typed into the wrong field must never be kept. */
export function checkCardName(name: string): CardProblem[] {
  if (name.length > MAX_NAME_CHARACTERS || CONTROL_CHARACTER.test(name)) {
    return [nameProblem(`Enter the name in up to ${MAX_NAME_CHARACTERS} characters, on one line.`)]
  }
  if (!LIKE_A_CARD_NUMBER.test(name)) return []
  return [nameProblem('This looks like a card number. Enter the name printed on the card.')]
}

function nameProblem(message: string): CardProblem {
  return { code: 'parameter_invalid_string', param: 'name', message }
}
