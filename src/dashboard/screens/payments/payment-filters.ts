import { EVENT_DESCRIPTIONS } from '../../../domain/core/event-types.ts'
import type { Event } from '../../../domain/events/events.ts'
import type { Payment, PaymentStatus } from '../../../domain/payments/payments.ts'
import type { ListSource } from '../../data/use-list.ts'
import { createEventTypeFilter } from '../../data/use-live-feed.ts'
import { PAYMENT_SERIES } from './outcome-totals.ts'

/** The value of `test_clock` in the URL for objects that are on no test clock. */
export const REAL_TIME_FILTER = 'none'
/** The interval that one bar of the plot covers. */
export const CHART_INTERVALS = ['day', 'week', 'month'] as const
/** The values of the status filter. */
export const STATUS_CHOICES: readonly PaymentStatus[] = PAYMENT_SERIES.flatMap(({ statuses }) => statuses)

export type ChartInterval = (typeof CHART_INTERVALS)[number]

/** The filters of the screen, read from the URL. An empty string means no filter. */
export interface PaymentFilters {
  readonly status: PaymentStatus | ''
  readonly customer: string
  /** The id of a test clock, or `none` for real time; empty for all payments of a customer. */
  readonly test_clock: string
  /** Dates in UTC, such as `2026-01-31`; the day of `to` is included. */
  readonly from: string
  readonly to: string
  readonly interval: ChartInterval
  /** The currency whose amounts the plot shows; empty to show numbers of payments. */
  readonly currency: string
}

const SECONDS_PER_DAY = 86_400

/** Reads the filters from the query of the URL; unknown values become empty or the default. */
export function readPaymentFilters(query: URLSearchParams): PaymentFilters {
  const read = (name: string) => query.get(name)?.trim() ?? ''
  return {
    status: STATUS_CHOICES.find((status) => status === read('status')) ?? '',
    customer: read('customer'),
    test_clock: read('test_clock') || (read('customer') === '' ? REAL_TIME_FILTER : ''),
    from: readDate(read('from')),
    to: readDate(read('to')),
    interval: CHART_INTERVALS.find((interval) => interval === read('interval')) ?? 'day',
    currency: read('currency'),
  }
}

/** Returns the parameters of `GET /v1/statistics`. */
export function toStatisticsQuery({ interval, test_clock, from, to }: PaymentFilters) {
  const { start, end } = timeRangeOf({ from, to })
  return { interval, test_clock: test_clock === REAL_TIME_FILTER ? undefined : test_clock, start, end }
}

/** Returns the parameters of `GET /v1/payments`. */
export function toPaymentsQuery({ status, customer, from, to }: PaymentFilters) {
  const { start, end } = timeRangeOf({ from, to })
  return { status, customer, 'created[gte]': start, 'created[lt]': end }
}

/** Returns whether a payment passes the filters. */
export function isMatchingPayment(payment: Payment, filters: PaymentFilters): boolean {
  const { status, customer, test_clock } = filters
  const { start = 0, end = Number.POSITIVE_INFINITY } = timeRangeOf(filters)
  return (
    (status === '' || payment.status === status) &&
    (customer === '' || payment.customer === customer) &&
    (test_clock === '' || (payment.test_clock ?? REAL_TIME_FILTER) === test_clock) &&
    payment.created >= start &&
    payment.created < end
  )
}

/** Returns the range in Unix seconds; `end` is exclusive. */
function timeRangeOf({ from, to }: Pick<PaymentFilters, 'from' | 'to'>) {
  return {
    start: from === '' ? undefined : secondsOf(from),
    end: to === '' ? undefined : secondsOf(to) + SECONDS_PER_DAY,
  }
}

function readDate(text: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && secondsOf(text) >= 0 ? text : ''
}

// Returns NaN for a date that does not exist.
function secondsOf(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / 1000
}

const EVENT_TYPES = Object.keys(EVENT_DESCRIPTIONS).filter((type) => type.startsWith('payment.'))

/**
 * Returns the list source of payments. Payments on a test clock are read from events, because the list of payments has
 * no filter for test clocks.
 */
export function createPaymentListSource(filters: PaymentFilters): ListSource<Payment> {
  const query = toPaymentsQuery(filters)
  const shared = {
    isWanted: (one: Payment) => isMatchingPayment(one, filters),
    isRelevant: createEventTypeFilter(/^payment\./),
  }
  if (filters.customer !== '' || filters.test_clock === REAL_TIME_FILTER)
    return { path: '/v1/payments', query, search: filters.test_clock, ...shared }
  return {
    path: '/v1/events',
    query: { types: EVENT_TYPES, test_clock: filters.test_clock, 'created[gte]': query['created[gte]'] },
    // A payment with several events occurs several times; its newest state comes first.
    itemOf: (event) => (event as Event).data.object as Payment,
    // Sort by the creation time of the payment: events have a later time. All payments have the same clock, so their
    // times are comparable.
    compare: (a, b) => b.created - a.created,
    search: JSON.stringify(query),
    ...shared,
  }
}
