/** The amounts of a payment, in minor units. */
export interface PaymentAmounts {
  readonly amount_captured: number
  readonly amount_refunded: number
  readonly amount_disputed: number
}

/** Returns the collected amount of a payment that is neither refunded nor disputed, in minor units. */
export function getRefundableAmount({
  amount_captured,
  amount_refunded,
  amount_disputed,
}: PaymentAmounts): number {
  return amount_captured - amount_refunded - amount_disputed
}
