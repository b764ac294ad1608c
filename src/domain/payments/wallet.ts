import type { CardFields } from '../cards/card-validation.ts'
import { TEST_CARD_VALIDITY_YEARS } from '../cards/test-cards.ts'
import type { RuleContext } from '../core/changes.ts'

/** The decision of the customer in the simulated wallet. */
export type WalletDecision = 'approve' | 'decline'

/** The last four digits of the card in the simulated wallet. */
export const WALLET_LAST4 = '4242'

const DECISIONS: ReadonlyMap<string, WalletDecision> = new Map([
  ['wallet', 'approve'],
  ['wallet_declined', 'decline'],
])

/** The aliases of the wallet, for test helpers that also accept the aliases of test cards. */
export const WALLET_ALIASES = [...DECISIONS.keys()]

/** Returns the decision of an alias of the wallet; null for any other string. */
export function findWalletDecision(alias: string): WalletDecision | null {
  return DECISIONS.get(alias) ?? null
}

/** Returns the card of the simulated wallet, after the customer's decision at `now`, in Unix seconds. */
export function createWalletCard(
  wallet: WalletDecision,
  { now }: Pick<RuleContext, 'now'>,
): CardFields & { readonly wallet: WalletDecision } {
  const exp_year = new Date(now * 1000).getUTCFullYear() + TEST_CARD_VALIDITY_YEARS
  return { number: `424242424242${WALLET_LAST4}`, exp_month: 12, exp_year, cvc: '123', wallet }
}
