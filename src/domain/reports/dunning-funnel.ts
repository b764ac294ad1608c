import type { Invoice } from '../billing/invoices.ts'
import * as s from '../core/schema.ts'

/** The schema of one step of the dunning funnel. */
export const dunningStepSchema = s.object(
  {
    attempt: s.integer(1, 'The number of charges, from 1.'),
    reached: s.integer(0, 'The invoices with at least this number of charges.'),
    recovered: s.integer(0, 'The invoices with this number of charges that are paid.'),
    open: s.integer(
      0,
      'The open invoices with this number of charges and another planned charge, or a debit without an outcome.',
    ),
    lost: s.integer(
      0,
      'The invoices with this number of charges that are void, uncollectible, or open without another planned charge.',
    ),
  },
  'One step of the dunning funnel: the invoices that reached a number of charges.',
)

export type DunningFunnelStep = s.ValueOf<typeof dunningStepSchema>
/** The result of an invoice whose first charge failed. */
export type DunningResult = 'recovered' | 'open' | 'lost'

interface InvoiceCharges {
  /** Whether a charge failed, which distinguishes charges within one second, as on a stopped test clock. */
  readonly hasFailed: boolean
  /** The time of the debit that succeeded or is pending, in Unix seconds; null if there is no such debit. */
  readonly debitedAt: number | null
}

/**
 * Returns the result of an invoice whose first charge failed. Returns null if the invoice was not charged, or if the
 * first charge paid the invoice or is a pending debit.
 */
export function findDunningResult(
  invoice: Invoice,
  { hasFailed, debitedAt }: InvoiceCharges,
): DunningResult | null {
  const { status, collection_method, attempted, attempt_count, next_payment_attempt } = invoice
  if (!attempted || collection_method !== 'charge_automatically') return null
  // A failed charge without a card creates no payment, so only the time shows that a later charge paid the invoice.
  const chargedAt = debitedAt ?? invoice.paid_at
  const isFirst = attempt_count === 1 && chargedAt === invoice.finalized_at && !hasFailed
  if (isFirst && (status === 'paid' || debitedAt !== null)) return null
  if (status === 'paid') return 'recovered'
  return status === 'open' && (next_payment_attempt !== null || debitedAt !== null) ? 'open' : 'lost'
}

/** The numbers of invoices by result; the index is the number of charges. */
export type DunningCounts = Readonly<Record<DunningResult, number>>[]

/** Counts an invoice whose first charge failed. */
export function countDunningInvoice(
  counts: DunningCounts,
  { attempt_count }: Invoice,
  result: DunningResult,
): void {
  while (counts.length <= attempt_count) counts.push({ recovered: 0, open: 0, lost: 0 })
  const before = counts[attempt_count]
  if (before !== undefined) counts[attempt_count] = { ...before, [result]: before[result] + 1 }
}

/** Returns the steps of the dunning funnel, starting with the first attempt. */
export function toDunningFunnel(counts: Readonly<DunningCounts>): readonly DunningFunnelStep[] {
  let reached = 0
  return counts
    .map((count, attempt) => ({ attempt, ...count }))
    .slice(1)
    .reverse()
    .map(({ attempt, recovered, open, lost }) => {
      reached += recovered + open + lost
      return { attempt, reached, recovered, open, lost }
    })
    .reverse()
}
