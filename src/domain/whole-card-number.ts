import { brandOf, passesLuhn } from './card-checks.ts'
import { findCard } from './test-cards.ts'

/** Digits alone, or in the groups of cards of 14, 15, 16 and 19 digits, with the same character between all groups. */
const BARE = /^\d{13,19}$/
const GROUPED = /^\d{4}([^\da-z])(?:\d{4}\1\d{4}\1\d{4}(?:\1\d{3})?|\d{6}\1\d{4,5})$/i

/** The same anywhere in a text, between characters that are no digits. */
const WITHIN =
  /(?<!\d)(?:\d{13,19}|\d{4}([^\da-z])(?:\d{4}\1\d{4}\1\d{4}(?:\1\d{3})?|\d{6}\1\d{4,5}))(?!\d)/gi

const LENGTHS: Readonly<Partial<Record<ReturnType<typeof brandOf>, readonly number[]>>> = {
  visa: [13, 16, 19],
  amex: [15],
  diners: [14],
  unknown: [],
}
const USUAL_LENGTHS = [16]

/**
 * Whether a whole text is a card number as it stands on a card: of the length of its network, with the right check
 * digit, or one of the test cards. Unlike what is masked, which is looked for anywhere in a text, it is rarely met by chance.
 */
export function isWholeCardNumber(text: string): boolean {
  if (!BARE.test(text) && !GROUPED.test(text)) return false
  const digits = text.replaceAll(/\D/g, '')
  const lengths = LENGTHS[brandOf(digits)] ?? USUAL_LENGTHS
  return findCard(digits) !== undefined || (lengths.includes(digits.length) && passesLuhn(digits))
}

/** Returns the text with each whole card number in it replaced by its last four digits. */
export function maskWholeCardNumbers(text: string): string {
  return text.replace(WITHIN, (found) =>
    isWholeCardNumber(found) ? `[card number ending in ${found.slice(-4)}]` : found,
  )
}
