import { at, type Corruption, find, type MutableSnapshot } from './corruptions.ts'

type Records = MutableSnapshot['records']

/** Corruptions for the invariants of API payments and saved cards. */
export const PAYMENT_CORRUPTIONS: readonly Corruption[] = [
  [
    'P13',
    'a saved card that its payment does not have',
    ({ payment_sessions, payment_methods }) => {
      const saving = find(payment_sessions, { status: 'complete', save_payment_method: true })
      saving.payment_method = at(
        payment_methods.filter(({ id }) => id !== saving.payment_method),
        0,
      ).id
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
    'P15',
    'a waiting API payment without authentication',
    (records) => {
      const waiting = waitingPayment(records)
      records.authentications = records.authentications.filter(({ id }) => id !== waiting.id)
    },
  ],
  [
    'P15',
    'an authentication of a payment that was canceled',
    (records) => {
      const { id } = abandonedPayment(records)
      records.authentications.push({ ...at(records.authentications, 0), id, payment: id })
    },
  ],
  ['P45', 'an API payment of an invoice', (records) => (waitingPayment(records).invoice = 'in_1')],
  [
    'P45',
    'an invoice payment that the API created',
    ({ payments }) => (find(payments, { origin: 'invoice' }).origin = 'api'),
  ],
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
      const deleted = at(
        records.customers.filter((one) => 'deleted' in one),
        0,
      )
      waitingPayment(records).customer = deleted.id
    },
  ],
]

function waitingPayment({ payments }: Records) {
  return find(payments, { origin: 'api', status: 'requires_action' })
}

function abandonedPayment({ payments }: Records) {
  return find(payments, { canceled_reason: 'abandoned' })
}
