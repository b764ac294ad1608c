import { CARD_VALIDATION_MESSAGES, parseCard } from '../../domain/cards/card-validation.ts'

/** The month and year in an expiry field; both are empty when the value of the field is not an expiry. */
export interface EnteredExpiry {
  readonly exp_month: string
  readonly exp_year: string
}

interface FieldError {
  readonly param: string | null
  readonly message: string
}

const NO_EXPIRY: EnteredExpiry = { exp_month: '', exp_year: '' }
const OTHER_DIGITS = /[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g
const SEPARATORS = /[\s\u200e\u200f\u2010-\u2015\u2212\uff0f/.-]+/
const MONTH_FIRST = /^(\d{1,2})\/(\d{1,4})$/
const YEAR_FIRST = /^(\d{4})\/(\d{1,2})$/
const TWO_DIGIT_MONTH = /^(\d{2})(\d{2}|\d{4})$/
const ONE_DIGIT_MONTH = /^([1-9])(\d{2}|20\d{2})$/
/** Matches the separator that was inserted while the customer typed `12030`. No three-digit year starts with zero. */
const EARLY_SEPARATOR = /^12\/(?=0\d{2}$)/
/** Matches digits whose first two must be the month. */
const TYPED_DIGITS = /^(0[1-9]|1[0-2]|00(?=\d{2}))(\d{1,4})$/
/**
 * Matches a first digit that must be the month: the first two digits are neither a month nor the start of a year 20xx.
 */
const TYPED_MONTH = /^([3-9]|1(?=[3-9])|2(?=[1-9]))(\d{1,4})$/
const TYPED_SEPARATOR = /^(\d{1,2})\s*\/\s*(?=\d{0,4}$)/
/** The error of an expiry field whose month and year are both invalid. */
const EXPIRY_INVALID = 'Enter the expiry date as month and year, such as 12/30.'

/** The messages of errors that the script in the browser can find; pages translate them in this order. */
export const CARD_FORM_ERROR_MESSAGES: readonly string[] = [EXPIRY_INVALID, ...CARD_VALIDATION_MESSAGES]

/**
 * Converts Arabic, Persian and full-width digits to ASCII. The last four bits of each character are the value of the
 * digit.
 */
export function toAsciiDigits(text: string): string {
  return text.replace(OTHER_DIGITS, (digit) => String(digit.charCodeAt(0) & 15))
}

/**
 * Parses the value of an expiry field. The function accepts month and year with a separator, such as `12/30`, `1/30` or
 * `2030-12`, and digits only, such as `1230`, `122030` or `930`. Does not check the ranges of month and year.
 */
export function parseCardExpiry(text: string): EnteredExpiry {
  const groups = toAsciiDigits(text)
    .split(SEPARATORS)
    .filter(Boolean)
    .join('/')
    .replace(EARLY_SEPARATOR, '12')
  const [, lastMonthYear, lastMonth] = YEAR_FIRST.exec(groups) ?? []
  if (lastMonthYear !== undefined && lastMonth !== undefined) {
    return { exp_month: lastMonth, exp_year: lastMonthYear }
  }
  const match = MONTH_FIRST.exec(groups) ?? ONE_DIGIT_MONTH.exec(groups) ?? TWO_DIGIT_MONTH.exec(groups)
  const [, exp_month, exp_year] = match ?? []
  return exp_month === undefined || exp_year === undefined ? NO_EXPIRY : { exp_month, exp_year }
}

/** Returns an expiry as `MM / YY`, or an empty text without month or year; an invalid month or year stays unchanged. */
export function formatCardExpiry(expiry: EnteredExpiry): string {
  if (expiry.exp_month === '' || expiry.exp_year === '') return ''
  const { exp_month, exp_year } = parseCard(expiry)
  const month = Number.isNaN(exp_month) ? expiry.exp_month : String(exp_month).padStart(2, '0')
  const year = exp_year >= 2000 && exp_year < 2100 ? String(exp_year % 100).padStart(2, '0') : expiry.exp_year
  return `${month} / ${year}`
}

/**
 * Inserts a separator after the month of an expiry while the customer types, and a zero before a one-digit month. Keeps
 * all digits.
 */
export function formatTypedExpiry(text: string): string {
  return toAsciiDigits(text)
    .replace(TYPED_DIGITS, '$1 / $2')
    .replace(TYPED_MONTH, '0$1 / $2')
    .replace(TYPED_SEPARATOR, '$1 / ')
}

/** Replaces the errors of month and year with errors of the expiry field, and combines two errors into one. */
export function toExpiryErrors<E extends FieldError>(errors: readonly E[]): E[] {
  const isBothInvalid = ['exp_month', 'exp_year'].every((name) => errors.some(({ param }) => param === name))
  return errors.flatMap((error) => {
    if (error.param === 'exp_year' && isBothInvalid) return []
    if (error.param !== 'exp_month' && error.param !== 'exp_year') return [error]
    return [{ ...error, param: 'expiry', ...(isBothInvalid && { message: EXPIRY_INVALID }) }]
  })
}
