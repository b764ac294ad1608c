import { DomainError, type Unvalidated, type ValidationError } from '../core/domain-error.ts'
import * as p from '../core/params.ts'
import * as s from '../core/schema.ts'
import type { WalletDecision } from '../payments/wallet.ts'
import { formatSessionReference, type Session } from './sessions.ts'

const TYPES = ['card', 'sepa_debit', 'wallet'] as const

/** The default payment method types of a session. */
export const DEFAULT_PAYMENT_METHOD_TYPES = ['card'] as const

/** The schema of `payment_method_types`. */
export const paymentMethodTypesSchema = s.arrayOf(
  s.enumOf(TYPES, 'A payment method type.') as s.Schema<string>,
  'The payment method types that the page offers: `card`, `sepa_debit` for direct debits, and `wallet` for the button of the simulated wallet.',
)

/** The schema of the parameter `payment_method_types`. */
export const paymentMethodTypesParam = p.list(
  {
    ...p.choice(TYPES, 'A payment method type.'),
    errorCodes: { enum: 'payment_method_type_unsupported' },
  },
  100,
  'Accepted payment method types (default: card). `sepa_debit` offers direct debits, whose outcome is known after three days, with or without `card`. `wallet` adds the button of a simulated wallet, and requires `card`.',
)

/** Returns the error of payment method types with `wallet` and without `card`. */
export function listMethodTypeErrors({
  payment_method_types: types,
}: Unvalidated<{ readonly payment_method_types?: readonly string[] }>): ValidationError[] {
  // The schema already reports invalid and unknown types.
  const isKnown = Array.isArray(types) && types.every((type) => TYPES.some((known) => known === type))
  if (!isKnown || !types.includes('wallet') || types.includes('card')) return []
  const param = 'payment_method_types'
  const message = `Invalid ${param}: "card" is missing. The wallet pays with a card, so use "card" and "wallet".`
  return [{ code: 'payment_method_type_unsupported', param, message }]
}

type PayableSession = Session & { readonly payment_method_types?: readonly string[] }

/** Returns whether the page of a session offers the simulated wallet. Card sessions accept only cards. */
export function isWalletOffered({ payment_method_types: types }: PayableSession): boolean {
  return types?.includes('wallet') ?? false
}

/** Returns whether the page of a session accepts cards. */
export function isCardOffered({ payment_method_types: types }: PayableSession): boolean {
  return types?.includes('card') ?? true
}

/** Returns whether the page of a session offers direct debits. */
export function isDebitOffered({ payment_method_types: types }: PayableSession): boolean {
  return types?.includes('sepa_debit') ?? false
}

interface OfferedMeans {
  readonly wallet?: WalletDecision
  readonly iban?: string
  readonly number?: unknown
}

/** Throws when the session does not accept the given card, wallet or bank account. */
export function requireOffered(session: PayableSession, { wallet, iban, number = '' }: OfferedMeans): void {
  if (number !== '' && !isCardOffered(session)) throw createNotOfferedError(session, 'card')
  if (wallet !== undefined && !isWalletOffered(session)) throw createNotOfferedError(session, 'wallet')
  if (iban !== undefined && !isDebitOffered(session)) throw createNotOfferedError(session, 'sepa_debit')
}

const MEANS = { card: 'a card', wallet: 'the wallet', sepa_debit: 'a direct debit' } as const

function createNotOfferedError(session: PayableSession, type: keyof typeof MEANS): DomainError {
  const means = MEANS[type]
  const fix =
    session.object === 'card_session'
      ? 'Use a card.'
      : `Create a session with payment_method_types "card" and "${type === 'wallet' ? 'wallet' : 'sepa_debit'}".`
  return new DomainError(
    'payment_method_type_unsupported',
    `Cannot complete ${formatSessionReference(session)} with ${means}: its payment_method_types do not include "${type}". ${fix}`,
    { param: 'test_card' },
  )
}
