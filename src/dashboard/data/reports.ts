/** A number of payments or refunds, and their sum in minor units. */
export interface Totals {
  readonly count: number
  readonly amount: number
}

export type PaymentOutcome = 'succeeded' | 'failed' | 'requires_action' | 'processing' | 'canceled'

/** The payments and refunds of one interval in one currency. */
export interface CurrencyTotals {
  readonly currency: string
  readonly payments: Readonly<Record<PaymentOutcome, Totals>>
  readonly refunds: Readonly<Record<'succeeded' | 'pending' | 'failed', Totals>>
}

/** One day, week or month. */
export interface StatisticsBucket {
  readonly start: number
  readonly end: number
  readonly currencies: readonly CurrencyTotals[]
}

/** The invoices that reached one attempt of their collection. */
export interface DunningStep {
  readonly attempt: number
  readonly reached: number
  readonly recovered: number
  readonly open: number
  readonly lost: number
}

/** The response of `GET /v1/statistics`. */
export interface Statistics {
  readonly interval: 'day' | 'week' | 'month'
  readonly test_clock: string | null
  readonly start: number
  readonly end: number
  readonly data: readonly StatisticsBucket[]
  readonly recurring_revenue: readonly {
    readonly currency: string
    readonly amount: number
    readonly subscriptions: number
  }[]
  readonly subscriptions: Readonly<Record<string, number>>
  readonly dunning: readonly DunningStep[]
}

/** An event that does not exist yet. */
export interface ProjectedEvent {
  readonly type: string
  readonly created: number
  readonly data: {
    readonly object: Readonly<Record<string, unknown>>
    readonly previous_attributes?: Readonly<Record<string, unknown>>
  }
}

/** The response of `GET /v1/projections`. */
export interface Projection {
  readonly subscription: string | null
  readonly test_clock: string | null
  /** The current time, in Unix seconds. */
  readonly from: number
  readonly until: number
  readonly data: readonly ProjectedEvent[]
  readonly has_more: boolean
}
