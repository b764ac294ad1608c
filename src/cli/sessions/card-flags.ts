import type { FlagInput } from '@oclif/core/interfaces'
import { findNearestName } from '../../api/schema/spelling.ts'
import {
  findCardByAlias,
  findCardByNumber,
  TEST_CARDS,
  type TestCard,
} from '../../domain/cards/test-cards.ts'
import { findTestIban, IBAN_ALIASES, TEST_IBANS } from '../../domain/cards/test-ibans.ts'
import { findWalletDecision, WALLET_ALIASES } from '../../domain/payments/wallet.ts'
import { UsageError } from '../errors/usage-error.ts'
import { string } from '../parse/flag-builders.ts'
import type { FlagValues, Params } from '../parse/params.ts'

/** An expiry date so late that the card does not expire in usual tests, even on a test clock. */
const EXPIRY = { exp_month: 12, exp_year: 2099 }

/** The parameters that `cardFlags` set. */
export const CARD_PARAMS = ['card', 'test_card', 'three_d_secure', 'promotion_code']

/** The flags of the commands that complete a session as the customer. */
export const cardFlags: FlagInput = {
  card: string({
    description: 'Test card: an alias, such as visa or insufficient_funds, or a number.',
    helpValue: '<alias|number>',
  }),
  'exp-month': string({ description: 'Expiry month of the card (default: 12).', dependsOn: ['card'] }),
  'exp-year': string({
    description: 'Expiry year of the card (default: 2099). Renewals after the expiry date are declined.',
    dependsOn: ['card'],
  }),
  cvc: string({ description: 'Security code of the card (default: the correct code).', dependsOn: ['card'] }),
  name: string({ description: 'Name of the cardholder.', dependsOn: ['card'] }),
  'three-d-secure': string({
    description: 'Result of 3-D Secure if the card requires it (default: approve).',
    options: ['approve', 'reject'],
  }),
}

/** The flags of the commands that complete a session which may offer the wallet. */
export const cardOrWalletFlags: FlagInput = {
  ...cardFlags,
  card: string({
    description: `Test card: an alias, such as visa or insufficient_funds, or a number; with a wallet also ${WALLET_ALIASES.join(' or ')}; with direct debits also a test IBAN or its alias, such as sepa_debit.`,
    helpValue: '<alias|number>',
  }),
}

/** The flags of the command that completes a checkout session. */
export const checkoutCompletionFlags: FlagInput = {
  ...cardOrWalletFlags,
  'promotion-code': string({
    description: 'Promotion code that the customer enters, such as SPRING-25.',
    helpValue: '<code>',
  }),
}

/**
 * Returns the parameters of `complete`: the alias of a test card. Returns all card fields for an unknown number, or if
 * a flag sets a card field.
 */
export function getSessionCompletionParams(flags: FlagValues): Params {
  const { 'three-d-secure': three_d_secure, 'promotion-code': promotion_code } = flags
  return { ...cardParams(flags), ...omitUndefined({ three_d_secure, promotion_code }) }
}

function cardParams(flags: FlagValues): Params {
  const { card, 'exp-month': exp_month, 'exp-year': exp_year, cvc, name } = flags
  if (typeof card !== 'string') return {}
  const entered = omitUndefined({ exp_month, exp_year, cvc, name })
  const other = findWalletDecision(card) === null ? findTestIban(card)?.alias : card
  if (other !== undefined) return aliasParams(other, entered)
  const known = findCardByNumber(card) ?? findCardByAlias(card)
  if (known === undefined && !/^[\d\s-]+$/.test(card)) throw unknownCardError(card)
  if (known !== undefined && Object.keys(entered).length === 0) return { test_card: known.alias }
  const number = known?.number ?? card
  return { card: { number, ...EXPIRY, cvc: defaultCvc(known), ...entered } }
}

function aliasParams(alias: string, entered: Params): Params {
  if (Object.keys(entered).length === 0) return { test_card: alias }
  const payer = findWalletDecision(alias) === null ? 'A bank account' : 'The wallet'
  const message = `${payer} takes no other details of a card.`
  throw new UsageError('flag_invalid', message, { param: 'card', hint: 'Omit the flags of the card.' })
}

function omitUndefined(params: Params): Params {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined))
}

function defaultCvc(card: TestCard | undefined): string {
  return card?.cvcLength === 4 ? '1234' : '123'
}

/**
 * Returns the test cards and test IBANs with their names for `--card`, their numbers, and the decisions on a payment and the
 * first renewal.
 */
export function listTestCards() {
  const cards = TEST_CARDS.map(({ alias, number, onSession, offSession: [renewal] }) => ({
    ...{ card: alias, number },
    payment: describeDecision(onSession),
    renewal: describeDecision(renewal),
  }))
  const accounts = TEST_IBANS.map(({ alias, iban, seconds, outcome }) => {
    const decision = `${describeDecision(outcome)} after ${seconds / 86_400} days`
    return { card: alias, number: iban, payment: decision, renewal: decision }
  })
  return [...cards, ...accounts]
}

function describeDecision(behavior: TestCard['onSession'] | TestCard['offSession'][0]): string {
  switch (behavior.kind) {
    case 'approve':
      return 'approved'
    case 'decline':
      return `declined: ${behavior.decline_code ?? behavior.code}`
    case 'challenge':
      return `3-D Secure, then ${describeDecision(behavior.next)}`
    case 'slow':
      return `approved after ${behavior.seconds} s`
    case 'alternate':
      return 'approved and declined in turn'
  }
}

function unknownCardError(alias: string): UsageError {
  const aliases = [...TEST_CARDS.map((card) => card.alias), ...WALLET_ALIASES, ...IBAN_ALIASES]
  const meant = listTestCards().find(({ payment }) => payment.toLowerCase().includes(alias.toLowerCase()))
  const nearest = findNearestName(alias, aliases) ?? meant?.card ?? 'visa'
  const hint = `Did you mean ${nearest}? List all test cards: paycli cards list --test`
  return new UsageError('flag_invalid', `Unknown test card '${alias}'.`, { param: 'card', hint })
}
