import { getCardBrand, hasValidCheckDigit } from './card-validation.ts'
import { findCardByNumber } from './test-cards.ts'

// Matches a card number of digits only, or of groups with the same separator between all groups. The groups are as
// printed on cards of 14, 15, 16 and 19 digits.
const BARE = /^\d{13,19}$/
const GROUPED = /^\d{4}([^\da-z])(?:\d{4}\1\d{4}\1\d{4}(?:\1\d{3})?|\d{6}\1\d{4,5})$/i

/** Matches `BARE` or `GROUPED` anywhere in a string, not adjacent to other digits. */
const WITHIN =
  /(?<!\d)(?:\d{13,19}|\d{4}([^\da-z])(?:\d{4}\1\d{4}\1\d{4}(?:\1\d{3})?|\d{6}\1\d{4,5}))(?!\d)/gi

const LENGTHS: Readonly<Partial<Record<ReturnType<typeof getCardBrand>, readonly number[]>>> = {
  visa: [13, 16, 19],
  amex: [15],
  diners: [14],
  unknown: [],
}
const DEFAULT_LENGTHS = [16]

/**
 * Returns whether the whole string is a card number as printed on a card: a test card, or a number with a valid length
 * and check digit. This check has fewer false positives than `maskCardNumbers`, which searches anywhere in a string.
 */
export function isWholeCardNumber(text: string): boolean {
  if (!BARE.test(text) && !GROUPED.test(text)) return false
  const digits = text.replaceAll(/\D/g, '')
  const lengths = LENGTHS[getCardBrand(digits)] ?? DEFAULT_LENGTHS
  return (
    findCardByNumber(digits) !== undefined || (lengths.includes(digits.length) && hasValidCheckDigit(digits))
  )
}

/** Replaces each whole card number in a text with its last four digits. */
export function maskWholeCardNumbers(text: string): string {
  return text.replace(WITHIN, (found) =>
    isWholeCardNumber(found) ? `[card number ending in ${found.slice(-4)}]` : found,
  )
}
