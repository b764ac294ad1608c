import type { Payment } from '../domain/payments/payments.ts'

/** Descriptions of decline codes whose names are unclear. */
const DECLINES: Readonly<Record<string, string>> = {
  generic_decline: 'Declined without a reason',
  card_velocity_exceeded: 'Used too often, or over the limit',
  pickup_card: 'Card reported lost or stolen',
  do_not_retry: 'Declined for good',
  fraudulent: 'Suspected fraud',
}

/** Returns a name such as `past_due` as words that begin with a capital letter. */
export function humanizeName(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Returns the reason for an unsuccessful payment, such as `Insufficient funds`, or null. */
export function findFailureReason(
  payment: Pick<Payment, 'decline_code' | 'failure_code' | 'canceled_reason' | 'status'>,
): string | null {
  const { status, decline_code, failure_code, canceled_reason } = payment
  if (status === 'requires_action') return 'Waits for 3-D Secure'
  const code = decline_code ?? failure_code ?? canceled_reason
  return code === null ? null : (DECLINES[code] ?? humanizeName(code))
}

/** Returns the number with its noun, such as `1 payment` or `3 deliveries`. */
export function formatCountWithNoun(count: number, noun: string): string {
  return `${formatCount(count)} ${count === 1 ? noun : getPlural(noun)}`
}

/** Returns the plural of a noun, such as `deliveries` of `delivery`. */
export function getPlural(noun: string): string {
  return noun.endsWith('delivery') ? `${noun.slice(0, -1)}ies` : `${noun}s`
}

/** Returns a whole number with commas between thousands. The first use of `toLocaleString` would take 20 ms. */
export function formatCount(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',')
}
