import { brandOf, passesLuhn } from '../../domain/card-checks.ts'
import type { Stored } from '../../domain/changes.ts'
import { TEST_CARDS } from '../../domain/test-cards.ts'
import { AMOUNT_FIELD } from './money.ts'
import { type Invariant, valuesIn } from './snapshot.ts'

const CARD_NUMBER = /(?<!\w)\d(?:[ -]?\d){12,18}(?!\w)/g
const API_KEY = /pay[sr]k_test_[0-9A-Za-z]{8,}/
const WEBHOOK_SECRET = /whsec_[0-9A-Za-z+/]{8,}/
const CARD_FIELDS = ['cvc', 'cvv', 'pan', 'card_number']
const NUMBERS = TEST_CARDS.map(({ number }) => number)

/** P40: nothing stored holds a card number, a CVC, an API key, or a webhook secret beside where it is kept. */
export const secretsAreNotKept: Invariant = function* ({ records }) {
  for (const record of Object.values(records).flat()) {
    const text = JSON.stringify(record)
    if (holdsCardNumber(wordsOf(record))) yield `${record.id}: a card number`
    if (API_KEY.test(text)) yield `${record.id}: an API key`
    if (WEBHOOK_SECRET.test(textBesideSecret(record))) yield `${record.id}: a webhook secret`
    for (const { path, field } of valuesIn(record)) {
      if (CARD_FIELDS.includes(field)) yield `${record.id}: ${path}`
    }
  }
}

// An endpoint's secrets are a record of their own; the one that services at a database share is in their sandbox.
function textBesideSecret(record: Stored): string {
  if (record.object === 'webhook_secret') return ''
  return JSON.stringify(record.object === 'sandbox' ? { ...record, webhook_secret: null } : record)
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
