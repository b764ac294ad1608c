const TIMESTAMP_FIELD =
  /^(?:created|redeem_by|billing_cycle_anchor|capture_before|next_payment_attempt|start|end|since|until)$|_(?:at|date|start|end|due_by)$|(?:^|_)frozen_time$/
const AMOUNT_FIELD = /^(?:amount|subtotal|tax|total)$|^amount_|_amount$|_balance$|^balance_applied$/

/** Returns whether fields of this name hold Unix seconds. */
export function isTimestampField(name: string): boolean {
  return TIMESTAMP_FIELD.test(name)
}

/** Returns whether fields of this name hold an amount in minor units. */
export function isAmountField(name: string): boolean {
  return AMOUNT_FIELD.test(name)
}
