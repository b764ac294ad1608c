/** The amounts of a payment, in minor units. */
export interface PaymentAmounts {
  readonly amount: number
  readonly amount_refunded: number
  readonly amount_disputed: number
}

/** Returns the amount of a payment that is neither refunded nor disputed, in minor units. */
export function getRemainingAmount({ amount, amount_refunded, amount_disputed }: PaymentAmounts): number {
  return amount - amount_refunded - amount_disputed
}
