import type { CustomerObjectTable } from '../../api/resources/catalog.ts'
import type { JsonObject } from '../../domain/core/json-object.ts'
import { hasPendingDebit } from '../../presentation/pending-debit.ts'

/**
 * Returns a note with the next command for an object in its current status, such as `paycli payments refund py_…`, or
 * null.
 */
export function findNextStepNote(response: object): string | null {
  const object: JsonObject = { ...response }
  const { object: type, id, deleted } = object
  if (typeof type !== 'string' || typeof id !== 'string' || deleted === true) return null
  const command = new Map(Object.entries(NEXT_COMMANDS)).get(type)?.(object, id) ?? null
  return command === null ? null : `Next:\n  paycli ${command}`
}

/** Returns the value of `--card` in a suggestion to pay a session: a bank account if the session accepts no card. */
export function suggestCard({ payment_method_types: types }: JsonObject): string {
  return Array.isArray(types) && !types.includes('card') ? 'sepa_debit' : 'visa'
}

type NextCommand = (object: JsonObject, id: string) => string | null

const NEXT_COMMANDS: CustomerObjectTable<NextCommand> = {
  customer: (_, id) => `checkout create --customer ${id} --currency eur --item Rent:1000 --interval month`,
  checkout_session: ({ status, subscription, ...session }, id) =>
    status === 'open' ? `checkout complete ${id} --card ${suggestCard(session)}` : retrieve(subscription),
  payment_session: ({ status, payment, ...session }, id) =>
    status === 'open' ? `payment-sessions complete ${id} --card ${suggestCard(session)}` : retrieve(payment),
  card_session: ({ status, payment_method }, id) =>
    status === 'open' ? `card-sessions complete ${id} --card visa` : retrieve(payment_method),
  portal_session: ({ status, customer }, id) =>
    status === 'open' ? `portal open ${id}` : retrieve(customer),
  payment: ({ status, refunded, amount_disputed, test_clock }, id) => {
    if (status === 'processing' && typeof test_clock === 'string') return `clock advance ${test_clock} 3d`
    if (status === 'requires_action') return `payments authenticate ${id}`
    if (status === 'requires_capture') return `payments capture ${id}`
    if (Number(amount_disputed) > 0) return `disputes list --payment ${id}`
    return status === 'succeeded' && refunded !== true ? `payments refund ${id}` : `timeline ${id}`
  },
  payment_method: ({ customer }) => retrieve(customer),
  subscription: ({ status, test_clock }, id) => {
    if (status === 'paused') return `subscriptions resume ${id}`
    // Advancing the clock by a month would skip all retries.
    if (status === 'past_due' || status === 'unpaid') return `upcoming ${id}`
    return status !== 'canceled' && typeof test_clock === 'string'
      ? `clock advance ${test_clock} 1mo`
      : `timeline ${id}`
  },
  invoice: (invoice, id) => {
    const { status, latest_payment } = invoice
    if (status === 'draft') return `invoices finalize ${id}`
    return status === 'open' && !hasPendingDebit(invoice) ? `invoices pay ${id}` : retrieve(latest_payment)
  },
  invoice_item: ({ invoice, subscription }) =>
    invoice === null ? `subscriptions preview ${subscription}` : retrieve(invoice),
  coupon: (_, id) => `promotion-codes create --coupon ${id}`,
  promotion_code: ({ coupon }) => retrieve(coupon),
  refund: ({ payment }) => retrieve(payment),
  dispute: ({ status, payment, test_clock }, id) => {
    if (status === 'needs_response') return `disputes update ${id} --evidence winning_evidence`
    if (status === 'warning_needs_response') return `payments refund ${payment}`
    return status === 'under_review' && typeof test_clock === 'string'
      ? `clock advance ${test_clock} 1h`
      : retrieve(payment)
  },
  fault: (_, id) => `faults delete ${id}`,
  test_clock: ({ status }, id) => (status === 'ready' ? `clock advance ${id} 1mo` : null),
  event: (_, id) => `webhooks deliveries list --event ${id}`,
  webhook_endpoint: (_, id) => `webhooks deliveries list --webhook-endpoint ${id}`,
  webhook_delivery: ({ status, event, webhook_endpoint }) =>
    status === 'failed' ? `events resend ${event} --endpoint ${webhook_endpoint}` : retrieve(event),
}

function retrieve(id: unknown): string | null {
  return typeof id === 'string' ? `get ${id}` : null
}
