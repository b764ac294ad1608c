import fc from 'fast-check'
import { api } from '../../src/api/api.ts'
import { any, pickId } from './pick-records.ts'
import { act, optionalPick, type Performers, pick, type ValueOf, weighted } from './random-acts.ts'

const params = fc.record(
  {
    amount: fc.integer({ min: 1, max: 999_999_999_999 }),
    currency: fc.constantFrom('eur', 'jpy', 'kwd'),
    off_session: fc.boolean(),
    capture_method: fc.constantFrom('automatic', 'manual'),
  },
  { requiredKeys: ['amount', 'currency'] },
)

/** Generates an operation on payments of saved cards. A null card is the default card. */
export const apiPaymentActs = weighted(
  [2, act('charge card', { pick, card: optionalPick, params })],
  [1, act('end payment', { pick, how: fc.constantFrom('approve', 'reject', 'cancel') })],
  [1, act('end reservation', { pick, share: fc.constantFrom(null, 0, 1, 2) })],
)

/** Charges a card, or ends a payment, preferably a payment that requires authentication or capture. */
export const PERFORM_API_PAYMENT: Performers<ValueOf<typeof apiPaymentActs>> = {
  'charge card': async (sandbox, { pick, card, params }, { customers }) => {
    const customer = pickId(customers, pick)
    const cards = (await sandbox.store.list('payment_methods', { where: { customer }, limit: 100 })).data
    const chosen = card === null ? undefined : cards[card % Math.max(1, cards.length)]
    const payment_method = chosen && { payment_method: chosen.id }
    return sandbox.call(api.payments.create, { customer, ...params, ...payment_method })
  },
  'end payment': async (sandbox, { pick, how }) => {
    const id = (await any(sandbox, 'payments', { pick, states: ['requires_action'] }))?.id ?? 'nobody'
    if (how === 'cancel') return sandbox.call(api.payments.cancel, { id })
    return sandbox.call(api.payments.authenticate, { id, three_d_secure: how })
  },
  // Captures half, all or twice the amount, or cancels the reservation for null.
  'end reservation': async (sandbox, { pick, share }) => {
    const payment = await any(sandbox, 'payments', { pick, states: ['requires_capture'] })
    const id = payment?.id ?? 'nobody'
    if (share === null) return sandbox.call(api.payments.cancel, { id })
    return sandbox.call(api.payments.capture, {
      id,
      amount: Math.ceil((payment?.amount ?? 1) * (share || 0.5)),
    })
  },
}
