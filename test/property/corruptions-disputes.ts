import { at, type Corruption, find, first, type Records } from './corruptions.ts'

/** Corruptions for the invariants of disputes. */
export const DISPUTE_CORRUPTIONS: readonly Corruption[] = [
  [
    'P8',
    'a refund of a disputed amount',
    (records) => (disputedPayment(records).amount_disputed += 1_000_000),
  ],
  ['P51', 'a disputed amount without a dispute', (records) => records.disputes.splice(0)],
  [
    'P51',
    'a payment that is not marked as disputed',
    (records) => (disputedPayment(records).disputed = false),
  ],
  ['P51', 'a dispute of a failure', (records) => (disputedPayment(records).status = 'failed')],
  ['P51', 'a dispute of another customer', ({ disputes }) => (at(disputes, 0).customer = 'cus_1')],
  ['P51', 'a dispute of nothing', ({ disputes }) => (at(disputes, 0).amount = 0)],
  ['P51', 'a won dispute without its funds', (records) => (withStatus(records, 'won').funds = 'withdrawn')],
  [
    'P51',
    'an inquiry that withdrew funds',
    (records) => (withStatus(records, 'warning_needs_response').funds = 'withdrawn'),
  ],
  ['P52', 'a later deadline', ({ disputes }) => (at(disputes, 0).evidence_due_by += 1)],
  ['P52', 'a dispute that is open after its deadline', (_records, draft) => (draft.now += 10 * 86_400)],
  [
    'P52',
    'an open dispute with the time of its end',
    (records) => (withStatus(records, 'needs_response').closed_at = 1),
  ],
  ['P52', 'a decision before the review', (records) => (withStatus(records, 'won').closed_at = 1)],
  [
    'P52',
    'a dispute lost after its deadline',
    (records) => (withStatus(records, 'lost').closed_at = 9_999_999_999),
  ],
  [
    'P52',
    'a dispute won with other evidence',
    (records) => (withStatus(records, 'won').evidence.text = 'Receipt'),
  ],
  [
    'P52',
    'submitted evidence without a text',
    (records) => (withStatus(records, 'won').evidence.text = null),
  ],
]

function disputedPayment({ payments }: Records) {
  return first(payments, ({ amount_disputed }) => amount_disputed > 0)
}

function withStatus({ disputes }: Records, status: Records['disputes'][number]['status']) {
  return find(disputes, { status })
}
