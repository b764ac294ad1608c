import type { FlagInput } from '@oclif/core/interfaces'
import { findCard, findCardByAlias, TEST_CARDS, type TestCard } from '../../domain/test-cards.ts'
import { UsageError } from '../errors/usage-error.ts'
import { string } from '../parse/options.ts'
import type { FlagValues, Params } from '../parse/params.ts'

/** Far enough ahead for every clock; the server takes any expiry that is not over. */
const EXPIRY = { exp_month: 12, exp_year: 2099 }

/** The flags of the commands that complete a session as its buyer. */
export const cardFlags: FlagInput = {
  card: string({
    description: 'A test card, by alias such as visa or insufficient_funds, or by number.',
    helpValue: '<alias|number>',
  }),
  'exp-month': string({ description: 'Expiry month of the card (default: 12).', dependsOn: ['card'] }),
  'exp-year': string({
    description:
      'Expiry year of the card (default: at least 50 years ahead). Advance its clock past it to see renewals declined.',
    dependsOn: ['card'],
  }),
  cvc: string({ description: 'Security code of the card, a right one unless given.', dependsOn: ['card'] }),
  name: string({ description: "Cardholder's name.", dependsOn: ['card'] }),
  'three-d-secure': string({
    description: "The buyer's answer if asked to authenticate; approve unless given.",
    options: ['approve', 'reject'],
  }),
}

/** The parameters of `complete`: a test card by its alias, or card fields when anything of them was given. */
export function completeParams(flags: FlagValues): Params {
  const answer = flags['three-d-secure']
  return { ...cardParams(flags), ...(answer === undefined ? {} : { three_d_secure: answer }) }
}

function cardParams(flags: FlagValues): Params {
  const { card, 'exp-month': exp_month, 'exp-year': exp_year, cvc, name } = flags
  if (typeof card !== 'string') return {}
  const known = findCard(card) ?? findCardByAlias(card)
  if (known === undefined && !/^[\d\s-]+$/.test(card)) throw unknownAlias(card)
  const entered = given({ exp_month, exp_year, cvc, name })
  if (known !== undefined && Object.keys(entered).length === 0) return { test_card: known.alias }
  const number = known?.number ?? card
  return { card: { number, ...EXPIRY, cvc: codeOf(known), ...entered } }
}

function given(params: Params): Params {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined))
}

function codeOf(card: TestCard | undefined): string {
  return card?.cvcLength === 4 ? '1234' : '123'
}

function unknownAlias(alias: string): UsageError {
  const hint = `The aliases: ${TEST_CARDS.map((card) => card.alias).join(', ')}.`
  return new UsageError('flag_invalid', `No test card is called '${alias}'.`, { param: 'card', hint })
}
