export type CardBrand = 'visa' | 'mastercard' | 'amex' | 'discover' | 'diners' | 'jcb' | 'unionpay'

export type CardFieldValue = string | number | null | undefined

/** The fields of an entered card: strings from a form, integers or strings from the API. */
export interface CardFields {
  readonly number?: CardFieldValue
  readonly exp_month?: CardFieldValue
  readonly exp_year?: CardFieldValue
  readonly cvc?: CardFieldValue
}

export interface CardValidationError {
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

const NUMBER_MISSING = 'Enter a card number.'
const NUMBER_INVALID = 'This card number is not valid. Check the number and enter it again.'
const MONTH_INVALID = 'Enter the expiry month as a number from 1 to 12.'
const MONTH_PAST = "The card's expiry month is in the past. Check it, or use another card."
const YEAR_INVALID = 'Enter the expiry year in two or four digits, such as 30 or 2030.'
const YEAR_PAST = "The card's expiry year is in the past. Check it, or use another card."
const HOLDER_MISSING = 'Enter the name of the account holder.'
const NAME_IS_NUMBER = 'This looks like a card number. Enter the name printed on the card.'

/** The messages of all validation errors except an overlong name, which form fields prevent. */
export const CARD_VALIDATION_MESSAGES: readonly string[] = [
  ...[NUMBER_MISSING, NUMBER_INVALID, MONTH_INVALID, MONTH_PAST, YEAR_INVALID, YEAR_PAST, NAME_IS_NUMBER],
  ...['3', '4', '3 or 4'].map(cvcMessage),
]

/** The prefixes of card numbers by network, following ISO/IEC 7812-1. The first matching prefix is used. */
export const BRAND_PREFIXES: readonly (readonly [brand: CardBrand, prefix: RegExp])[] = [
  ['visa', /^4/],
  ['mastercard', /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/],
  ['amex', /^3[47]/],
  ['discover', /^(6011|64[4-9]|65)/],
  ['diners', /^(30[0-5]|3095|36|3[89])/],
  ['jcb', /^35(2[89]|[3-8])/],
  ['unionpay', /^(62|81)/],
]

/** Removes spaces and dashes from a card number. */
export function normalizeCardNumber(text: string): string {
  return text.replace(/[\s\u2010-\u2015-]/g, '')
}

/** Returns whether a string consists of 12 to 19 digits with a correct check digit, following ISO/IEC 7812-1. */
export function hasValidCheckDigit(number: string): boolean {
  if (!/^\d{12,19}$/.test(number)) return false
  let sum = 0
  for (let at = 0; at < number.length; at += 1) {
    const value = Number(number[at]) * ((number.length - at) % 2 === 0 ? 2 : 1)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}

/** Returns the card network of a number by its prefix, following ISO/IEC 7812-1. */
export function getCardBrand(number: string): CardBrand | 'unknown' {
  const digits = normalizeCardNumber(number)
  return BRAND_PREFIXES.find(([, prefix]) => prefix.test(digits))?.[0] ?? 'unknown'
}

/** Returns whether a card's expiry month (UTC) has ended at `now`, in Unix seconds. */
export function isExpiredCard(card: { exp_month: number; exp_year: number }, now: number): boolean {
  const date = new Date(now * 1000)
  const monthsLeft = (card.exp_year - date.getUTCFullYear()) * 12 + card.exp_month - (date.getUTCMonth() + 1)
  return monthsLeft < 0
}

function textOf(entry: CardFieldValue): string {
  return entry === null || entry === undefined ? '' : String(entry).trim()
}

/** Parses an entered card. The year gets four digits; an invalid month or year becomes NaN. */
export function parseCard(fields: CardFields) {
  const month = textOf(fields.exp_month)
  const year = textOf(fields.exp_year)
  return {
    number: normalizeCardNumber(textOf(fields.number)),
    exp_month: /^(0?[1-9]|1[0-2])$/.test(month) ? Number(month) : Number.NaN,
    exp_year: /^(\d{2}|\d{4})$/.test(year) ? Number(year) + (year.length === 2 ? CENTURY : 0) : Number.NaN,
    cvc: textOf(fields.cvc),
  }
}

type ParsedCard = ReturnType<typeof parseCard>

function validateNumber({ number }: ParsedCard): CardValidationError[] {
  if (number === '') return [{ code: 'card_number_missing', param: 'number', message: NUMBER_MISSING }]
  return hasValidCheckDigit(number)
    ? []
    : [{ code: 'incorrect_number', param: 'number', message: NUMBER_INVALID }]
}

function monthError(message: string): CardValidationError {
  return { code: 'invalid_expiry_month', param: 'exp_month', message }
}

function yearError(message: string): CardValidationError {
  return { code: 'invalid_expiry_year', param: 'exp_year', message }
}

function validateExpiry({ exp_month, exp_year }: ParsedCard, now: number | null): CardValidationError[] {
  const errors: CardValidationError[] = []
  if (Number.isNaN(exp_month)) errors.push(monthError(MONTH_INVALID))
  if (Number.isNaN(exp_year)) {
    errors.push(yearError(YEAR_INVALID))
  } else if (now !== null && exp_year < new Date(now * 1000).getUTCFullYear()) {
    errors.push(yearError(YEAR_PAST))
  } else if (now !== null && isExpiredCard({ exp_month, exp_year }, now)) {
    errors.push(monthError(MONTH_PAST))
  }
  return errors
}

function validateCvc({ number, cvc }: ParsedCard): CardValidationError[] {
  const brand = getCardBrand(number)
  // An unknown card network is an error of the number, so accept security codes of both lengths.
  const lengths = brand === 'unknown' ? [3, 4] : [brand === 'amex' ? 4 : 3]
  if (/^\d+$/.test(cvc) && lengths.includes(cvc.length)) return []
  return [{ code: 'invalid_cvc', param: 'cvc', message: cvcMessage(lengths.join(' or ')) }]
}

function cvcMessage(lengths: string): string {
  return `Enter the security code of the card: ${lengths} digits.`
}

/**
 * Returns all validation errors of a card in field order; no message repeats an entered value. `now` is in Unix
 * seconds; null allows expiry dates in the past.
 */
export function listCardErrors(fields: CardFields, now: number | null): CardValidationError[] {
  const card = parseCard(fields)
  return [...validateNumber(card), ...validateExpiry(card, now), ...validateCvc(card)]
}

/** Returns the validation errors of a cardholder name. A name must not be a card number, because names are stored. */
export function listCardholderNameErrors(name: string): CardValidationError[] {
  if ([...name].length > MAX_NAME_CHARACTERS || /\p{Cc}/u.test(name)) {
    return [nameError(`Enter the name in up to ${MAX_NAME_CHARACTERS} characters, on one line.`)]
  }
  const isLikeCardNumber = /(?:\p{Nd}[^\p{L}\p{Nd}]*){12}/u.test(name)
  if (!isLikeCardNumber) return []
  return [nameError(NAME_IS_NUMBER)]
}

function nameError(message: string): CardValidationError {
  return { code: 'parameter_invalid_string', param: 'name', message }
}

/** Returns the validation errors of the name of an account holder, which is required. */
export function listAccountHolderNameErrors(
  name: string,
): { readonly code: string; readonly param: string; readonly message: string }[] {
  if (name === '') return [{ code: 'parameter_missing', param: 'holder', message: HOLDER_MISSING }]
  return listCardholderNameErrors(name).map((error) => ({ ...error, param: 'holder' }))
}
