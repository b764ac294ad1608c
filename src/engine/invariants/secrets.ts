import { getCardBrand, hasValidCheckDigit } from '../../domain/cards/card-validation.ts'
import { TEST_CARDS } from '../../domain/cards/test-cards.ts'
import { TEST_IBANS } from '../../domain/cards/test-ibans.ts'
import type { StoredObject } from '../../domain/core/changes.ts'
import { isAmountField } from '../../domain/text/field-names.ts'
import { type Invariant, iterateNestedValues } from './snapshot.ts'

const CARD_NUMBER = /(?<!\w)\d(?:[ -]?\d){12,18}(?!\w)/g
const API_KEY = /pay[sr]k_test_[0-9A-Za-z]{8,}/
const WEBHOOK_SECRET = /whsec_[0-9A-Za-z+/]{8,}/
const CARD_FIELDS = ['cvc', 'cvv', 'pan', 'card_number']
const NUMBERS = [...TEST_CARDS.map(({ number }) => number), ...TEST_IBANS.map(({ iban }) => iban)]

/** P40: no stored record contains a card number, a test IBAN, a CVC, an API key, or a webhook secret outside its own field. */
export const secretsAreNotStored: Invariant = function* ({ records }) {
  for (const record of Object.values(records).flat()) {
    const text = JSON.stringify(record)
    if (containsCardNumber(textWithoutAmounts(record))) yield `${record.id}: contains a card number`
    if (API_KEY.test(text)) yield `${record.id}: contains an API key`
    if (WEBHOOK_SECRET.test(textWithoutSecretField(record))) yield `${record.id}: contains a webhook secret`
    for (const { path, field } of iterateNestedValues(record)) {
      if (CARD_FIELDS.includes(field)) yield `${record.id}: contains the field ${path}`
    }
  }
}

// Secrets of endpoints are in separate records. The secret of a sandbox is in the record of its secrets.
function textWithoutSecretField(record: StoredObject): string {
  if (record.object === 'webhook_secret') return ''
  return JSON.stringify(record.object === 'sandbox_secrets' ? { ...record, webhook_secret: null } : record)
}

/** Returns a value as JSON without its amounts and balances, which may look like card numbers by chance. */
function textWithoutAmounts(value: unknown): string {
  return JSON.stringify(value, (field, inner: unknown) =>
    isAmountField(field) || field === 'balances' ? undefined : inner,
  )
}

/** Returns whether a text contains a test card number, a test IBAN or a number that could be a real card number. */
function containsCardNumber(text: string): boolean {
  if (NUMBERS.some((number) => text.includes(number))) return true
  return (text.match(CARD_NUMBER) ?? []).some((found) => {
    const digits = found.replace(/\D/g, '')
    return hasValidCheckDigit(digits) && getCardBrand(digits) !== 'unknown'
  })
}
