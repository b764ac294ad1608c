import type { EnteredPaymentMethod } from '../../src/domain/completion/session-submission.ts'

/** The CVC of every test, which no other value in a test contains. */
export const CVC = '739'

/** Returns a card as typed into the form. */
export function typed(number: string, more: Partial<EnteredPaymentMethod> = {}): EnteredPaymentMethod {
  const isAmex = /^3[47]/.test(number)
  return { number, exp_month: '12', exp_year: '2031', cvc: isAmex ? `${CVC}1` : CVC, ...more }
}
