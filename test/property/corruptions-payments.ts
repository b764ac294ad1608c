import { at, type Corruption, find, first, type Records } from './corruptions.ts'

/** Corruptions for the invariants of API payments and saved cards. */
export const PAYMENT_CORRUPTIONS: readonly Corruption[] = [
  [
    'P13',
    'a saved card that its payment does not have',
    ({ payment_sessions, payment_methods }) => {
      const saving = find(payment_sessions, { status: 'complete', save_payment_method: true })
      saving.payment_method = first(payment_methods, ({ id }) => id !== saving.payment_method).id
    },
  ],
  [
    'P13',
    'a complete session that saved no card',
    ({ payment_sessions }) =>
      (find(payment_sessions, { status: 'complete', save_payment_method: true }).payment_method = null),
  ],
  [
    'P13',
    'a saved card of an expired session',
    ({ payment_sessions, payment_methods }) =>
      (find(payment_sessions, { status: 'expired', save_payment_method: true }).payment_method = at(
        payment_methods,
        0,
      ).id),
  ],
  [
    'P13',
    'a paid session whose amount is only reserved',
    ({ payment_sessions }) => (find(payment_sessions, HELD_SESSION).payment_status = 'paid'),
  ],
  [
    'P13',
    'a reserved payment of an automatic session',
    ({ payment_sessions }) => (find(payment_sessions, HELD_SESSION).capture_method = 'automatic'),
  ],
  ['P8', 'more refunds than captured', (records) => (capturedPayment(records).amount_refunded = 401)],
  ['P53', 'more captured than reserved', (records) => (capturedPayment(records).amount_captured = 1_000_000)],
  ['P53', 'a capture of nothing', (records) => (capturedPayment(records).amount_captured = 0)],
  ['P53', 'a capture after the deadline', (records) => (capturedPayment(records).capture_before = 1)],
  ['P53', 'a capturable rest', (records) => (capturedPayment(records).amount_capturable = 1)],
  [
    'P53',
    'a part of an automatic payment',
    ({ payments }) =>
      (find(payments, { status: 'succeeded', capture_method: 'automatic' }).amount_captured -= 1),
  ],
  [
    'P53',
    'a reservation without a deadline',
    ({ payments }) => (find(payments, { status: 'requires_capture' }).capture_before = null),
  ],
  [
    'P53',
    'an automatic reservation',
    ({ payments }) => (find(payments, { status: 'requires_capture' }).capture_method = 'automatic'),
  ],
  [
    'P53',
    'a declined reservation',
    ({ payments }) =>
      Object.assign(find(payments, { status: 'failed' }), { capture_method: 'manual', capture_before: 1e10 }),
  ],
  [
    'P53',
    'a reservation released too early',
    ({ payments }) => (find(payments, { canceled_reason: 'expired' }).canceled_at = 1),
  ],
  [
    'P53',
    'a reservation canceled after its deadline',
    ({ payments }) => (find(payments, { canceled_reason: 'expired' }).canceled_reason = 'requested'),
  ],
  ['P53', 'a reservation past its deadline', (_records, draft) => (draft.now += 7 * 86_400)],
  ['P45', 'an API payment of an invoice', (records) => (waitingPayment(records).invoice = 'in_1')],
  [
    'P45',
    'a session payment without session and origin',
    ({ payments }) => {
      const { origin: _, ...old } = find(payments, { origin: 'payment_session' })
      payments.push({ ...old, payment_session: null } as never)
    },
  ],
  [
    'P45',
    'an API payment without a saved card',
    (records) => (waitingPayment(records).payment_method = null),
  ],
  ['P45', 'an API payment that is processing', (records) => (waitingPayment(records).status = 'processing')],
  ['P46', 'a payment abandoned too early', (records) => (abandonedPayment(records).canceled_at = 1)],
  [
    'P46',
    'a payment canceled after its deadline for another reason',
    (records) => (abandonedPayment(records).canceled_reason = 'requested'),
  ],
  ['P46', 'a payment that still waits after its deadline', (_records, draft) => (draft.now += 86_400)],
  [
    'P46',
    'a waiting payment of a deleted customer',
    (records) => {
      const deleted = first(records.customers, (one) => 'deleted' in one)
      waitingPayment(records).customer = deleted.id
    },
  ],
]

const HELD_SESSION = { status: 'complete', payment_status: 'unpaid' } as const

function capturedPayment({ payments }: Records) {
  return find(payments, { status: 'succeeded', capture_method: 'manual' })
}

function waitingPayment({ payments }: Records) {
  return find(payments, { origin: 'api', status: 'requires_action' })
}

function abandonedPayment({ payments }: Records) {
  return find(payments, { canceled_reason: 'abandoned' })
}
