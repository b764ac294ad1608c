import { listAccountHolderNameErrors, listCardholderNameErrors } from '../../domain/cards/card-validation.ts'
import type { EnteredPaymentMethod } from '../../domain/completion/session-submission.ts'
import type { ValidationError } from '../../domain/core/domain-error.ts'
import { formatCardExpiry, parseCardExpiry, toAsciiDigits } from './card-expiry.ts'

/** The fields of a posted form by name. */
export type PostedForm = Readonly<Record<string, unknown>>

/** The fields that are prefilled after a submission; the card number and the security code are never prefilled. */
export interface PrefilledFields {
  readonly name: string
  /** The expiry as `MM / YY`, or an empty string. */
  readonly expiry: string
  /** Whether the customer wants to keep the card; undefined before the first submission. */
  readonly keep?: boolean
  /** The account holder of a submitted debit form; undefined for other forms. */
  readonly holder?: string
  /** The promotion code, if it cannot be redeemed. */
  readonly code?: string
}

/** The fields of a form before the first submission. */
export const EMPTY_FIELDS: PrefilledFields = { name: '', expiry: '' }

/** The expiry of a test card that the developer chose; later than the time of typical test clocks. */
export const TEST_CARD_EXPIRY = '12 / 99'

/** The contents of a submitted card form. */
export interface CardInput {
  readonly card: EnteredPaymentMethod
  readonly prefilled: PrefilledFields
  /** Errors of the cardholder name. The domain rules check the other fields. */
  readonly errors: readonly ValidationError[]
}

/** Returns the value of a field; empty when the field is missing or occurs several times. */
export function getFormField(form: PostedForm, name: string): string {
  const value = form[name]
  return typeof value === 'string' ? value.trim() : ''
}

/** Reads the form that debits a bank account. */
function readDebitForm(iban: string, holder: string): CardInput {
  const errors = listAccountHolderNameErrors(holder)
  const name = errors.length === 0 ? holder : ''
  return { card: { iban, name }, prefilled: { ...EMPTY_FIELDS, holder: name }, errors }
}

/** Reads the card form, or the form that debits a bank account. A value in the name or expiry fields that may be a card number or security code is dropped. */
export function readCardForm(form: PostedForm): CardInput {
  const field = (name: string) => getFormField(form, name)
  if (form['iban'] !== undefined) return readDebitForm(field('iban'), field('holder'))
  const digits = (name: string) => toAsciiDigits(field(name))
  const expiry = parseCardExpiry(field('expiry'))
  const shownExpiry = formatCardExpiry(expiry)
  const name = field('name')
  const errors = listCardholderNameErrors(name)
  const isNameValid = errors.length === 0
  return {
    card: {
      number: digits('number'),
      ...expiry,
      cvc: digits('cvc'),
      name: isNameValid && name !== '' ? name : null,
    },
    prefilled: {
      name: isNameValid ? name : '',
      // Any other value may be a security code in the wrong field.
      expiry: /^(0[1-9]|1[0-2]) \/ \d{2}$/.test(shownExpiry) ? shownExpiry : '',
      keep: isCardKept(form),
    },
    errors,
  }
}

/** Returns whether the customer chose to use the card of an invoice form for future charges. */
export function isCardKept(form: PostedForm): boolean {
  return getFormField(form, 'keep') === '1'
}
