import type { Payment } from '../../../domain/payments/payments.ts'
import type {
  CurrencyTotals,
  PaymentOutcome,
  PaymentTotals,
  StatisticsBucket,
} from '../../data/report-types.ts'

/** The groups of outcomes in the plot, from the bottom to the top of a bar. */
export const OUTCOME_GROUPS = [
  { name: 'succeeded', label: 'Succeeded', statuses: ['succeeded'] },
  { name: 'waiting', label: 'In progress', statuses: ['requires_action', 'processing'] },
  { name: 'canceled', label: 'Canceled', statuses: ['canceled'] },
  { name: 'failed', label: 'Declined', statuses: ['failed'] },
] as const satisfies readonly {
  readonly name: string
  readonly label: string
  readonly statuses: readonly PaymentOutcome[]
}[]

export type OutcomeName = (typeof OUTCOME_GROUPS)[number]['name']

/** The totals of one currency by outcome, and of its refunds that have not failed. */
export interface OutcomeTotals {
  readonly currency: string
  readonly outcomes: Readonly<Record<OutcomeName, PaymentTotals>>
  readonly refunded: PaymentTotals
}

const NONE: PaymentTotals = { count: 0, amount: 0 }

/** Returns the totals of all buckets by currency, in the order of the number of payments, most first. */
export function totalsByCurrency(buckets: readonly StatisticsBucket[]): OutcomeTotals[] {
  return sumByCurrency(buckets.flatMap(({ currencies }) => currencies.map(groupTotalsByOutcome)))
}

/** Groups the totals of one currency by outcome. */
export function groupTotalsByOutcome({ currency, payments, refunds }: CurrencyTotals): OutcomeTotals {
  const outcomes = Object.fromEntries(
    OUTCOME_GROUPS.map(({ name, statuses }) => [
      name,
      statuses.map((status) => payments[status]).reduce(add, NONE),
    ]),
  ) as OutcomeTotals['outcomes']
  return { currency, outcomes, refunded: add(refunds.succeeded, refunds.pending) }
}

/** Returns the number of payments. */
export function countPayments({ outcomes }: OutcomeTotals): number {
  return OUTCOME_GROUPS.reduce((sum, { name }) => sum + outcomes[name].count, 0)
}

/** Returns the share of declined payments among those that were decided, from 0 to 1; null without any. */
export function declineRate(totals: readonly OutcomeTotals[]): number | null {
  const sum = (name: OutcomeName) => totals.reduce((all, { outcomes }) => all + outcomes[name].count, 0)
  const decided = sum('succeeded') + sum('failed')
  return decided === 0 ? null : sum('failed') / decided
}

/** Returns the totals of some payments by currency; a payment counts as one refund of its refunded amount. */
export function totalsOfPayments(payments: readonly Payment[]): OutcomeTotals[] {
  return sumByCurrency(
    payments.map(({ currency, status, amount, amount_refunded }) => {
      const { name } =
        OUTCOME_GROUPS.find(({ statuses }) => statuses.some((one) => one === status)) ?? OUTCOME_GROUPS[0]
      const outcomes = { succeeded: NONE, waiting: NONE, canceled: NONE, failed: NONE }
      const refunded = amount_refunded > 0 ? { count: 1, amount: amount_refunded } : NONE
      return { currency, outcomes: { ...outcomes, [name]: { count: 1, amount } }, refunded }
    }),
  )
}

function sumByCurrency(all: readonly OutcomeTotals[]): OutcomeTotals[] {
  return [...Map.groupBy(all, ({ currency }) => currency).values()]
    .map((own) => own.reduce(addTotals))
    .sort((a, b) => countPayments(b) - countPayments(a))
}

function addTotals(a: OutcomeTotals, b: OutcomeTotals): OutcomeTotals {
  const outcomes = Object.fromEntries(
    OUTCOME_GROUPS.map(({ name }) => [name, add(a.outcomes[name], b.outcomes[name])]),
  ) as OutcomeTotals['outcomes']
  return { currency: a.currency, outcomes, refunded: add(a.refunded, b.refunded) }
}

function add(a: PaymentTotals, b: PaymentTotals): PaymentTotals {
  return { count: a.count + b.count, amount: a.amount + b.amount }
}
