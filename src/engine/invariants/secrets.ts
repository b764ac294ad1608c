import { brandOf, passesLuhn } from '../../domain/card-checks.ts'
import { TEST_CARDS } from '../../domain/test-cards.ts'
import { AMOUNT_FIELD } from './money.ts'
import { type Invariant, valuesIn } from './snapshot.ts'

const CARD_NUMBER = /(?<!\w)\d(?:[ -]?\d){12,18}(?!\w)/g
const API_KEY = /pay[sr]k_test_[0-9A-Za-z]{8,}/
const WEBHOOK_SECRET = /whsec_[0-9A-Za-z+/]{8,}/
const CARD_FIELDS = ['cvc', 'cvv', 'pan', 'card_number']
const NUMBERS = TEST_CARDS.map(({ number }) => number)

/** P40: nothing stored holds a card number, a CVC, an API key, or a webhook secret beside its own record. */
export const secretsAreNotKept: Invariant = function* ({ records }) {
  for (const record of Object.values(records).flat()) {
    const text = JSON.stringify(record)
    if (holdsCardNumber(wordsOf(record))) yield `${record.id}: a card number`
    if (API_KEY.test(text)) yield `${record.id}: an API key`
    if (record.object !== 'webhook_secret' && WEBHOOK_SECRET.test(text))
      yield `${record.id}: a webhook secret`
    for (const { path, field } of valuesIn(record)) {
      if (CARD_FIELDS.includes(field)) yield `${record.id}: ${path}`
    }
  }
}

/** A value as text without sums of money, which may look like card numbers by chance. */
export function wordsOf(value: unknown): string {
  return JSON.stringify(value, (field, inner: unknown) => (AMOUNT_FIELD.test(field) ? undefined : inner))
}

/** Whether a text holds a test card's number or any number that could be a real card's. */
export function holdsCardNumber(text: string): boolean {
  if (NUMBERS.some((number) => text.includes(number))) return true
  return (text.match(CARD_NUMBER) ?? []).some((found) => {
    const digits = found.replace(/\D/g, '')
    return passesLuhn(digits) && brandOf(digits) !== 'unknown'
  })
}
