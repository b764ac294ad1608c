import type { EnteredCard } from '../../src/domain/card-submission.ts'

/** The CVC every test types in: nothing else in a test looks like it. */
export const CVC = '739'

/** A card as a buyer would type it. */
export function typed(number: string, more: Partial<EnteredCard> = {}): EnteredCard {
  const isAmex = /^3[47]/.test(number)
  return { number, exp_month: '12', exp_year: '2031', cvc: isAmex ? `${CVC}1` : CVC, ...more }
}
