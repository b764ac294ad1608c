import { DomainError, type Unvalidated, type ValidationError } from '../core/domain-error.ts'
import * as p from '../core/params.ts'
import * as s from '../core/schema.ts'
import type { WalletDecision } from '../payments/wallet.ts'
import { describeSession, type Session } from './sessions.ts'

const TYPES = ['card', 'sepa_debit', 'wallet'] as const

/** The payment method types of a session unless others are given. */
export const DEFAULT_PAYMENT_METHOD_TYPES = ['card'] as const

/** The schema of `payment_method_types`. */
export const paymentMethodTypesSchema = s.arrayOf(
  s.oneOf(TYPES, 'A payment method type.') as s.Schema<string>,
  'The payment method types that the page offers: `card`, `sepa_debit` for direct debits, and `wallet` for the button of the simulated wallet.',
)

/** The schema of the parameter `payment_method_types`. */
export const paymentMethodTypesParam = p.list(
  {
    ...p.choice(TYPES, 'A payment method type.'),
    errorCodes: { enum: 'payment_method_type_unsupported' },
  },
  100,
  'Accepted payment method types (default: card). `card` is required; `sepa_debit` adds direct debits, whose outcome is known after three days; `wallet` adds the button of a simulated wallet.',
)

/** Returns the error of payment method types without `card`. */
export function validatePaymentMethodTypes({
  payment_method_types: types,
}: Unvalidated<{ readonly payment_method_types?: readonly string[] }>): ValidationError[] {
  // The schema reports invalid and unknown values.
  const isKnown = Array.isArray(types) && types.every((type) => TYPES.some((known) => known === type))
  if (!isKnown || types.length === 0 || types.includes('card')) return []
  const param = 'payment_method_types'
  const message = `Invalid ${param}: "card" is missing. Each page has a card form, so use "card" with the other types.`
  return [{ code: 'payment_method_type_unsupported', param, message }]
}

type PayableSession = Session & { readonly payment_method_types?: readonly string[] }

/** Returns whether the page of a session offers the simulated wallet. Card sessions accept only cards. */
export function offersWallet({ payment_method_types: types }: PayableSession): boolean {
  return types?.includes('wallet') ?? false
}

/** Returns whether the page of a session offers direct debits. */
export function offersDebit({ payment_method_types: types }: PayableSession): boolean {
  return types?.includes('sepa_debit') ?? false
}

/** Throws when a wallet or a bank account pays a session that does not offer it. */
export function requireOffered(
  session: PayableSession,
  { wallet, iban }: { readonly wallet?: WalletDecision; readonly iban?: string },
): void {
  if (wallet !== undefined && !offersWallet(session)) throw createNotOfferedError(session, 'wallet')
  if (iban !== undefined && !offersDebit(session)) throw createNotOfferedError(session, 'sepa_debit')
}

function createNotOfferedError(session: PayableSession, type: 'wallet' | 'sepa_debit'): DomainError {
  const means = type === 'wallet' ? 'the wallet' : 'a direct debit'
  const fix =
    session.object === 'card_session'
      ? 'Use a card.'
      : `Create a session with payment_method_types "card" and "${type}".`
  return new DomainError(
    'payment_method_type_unsupported',
    `Cannot complete ${describeSession(session)} with ${means}: its payment_method_types do not include "${type}". ${fix}`,
    { param: 'test_card' },
  )
}
