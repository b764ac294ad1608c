import type { JsonObject } from '../../domain/core/json-object.ts'
import type { Projection } from '../../domain/reports/projections.ts'
import type { Statistics } from '../../domain/reports/statistics.ts'

/** One day, week or month of the statistics. */
export type StatisticsBucket = Statistics['data'][number]

/** The payments and refunds of one interval in one currency. */
export type CurrencyTotals = StatisticsBucket['currencies'][number]

export type PaymentOutcome = keyof CurrencyTotals['payments']

/** A number of payments or refunds, and their sum in minor units. */
export type PaymentTotals = CurrencyTotals['payments'][PaymentOutcome]

/** The invoices that reached one attempt of their collection. */
export type DunningFunnelStep = Statistics['dunning'][number]

/** A projected event, with its object as JSON. */
export interface ProjectedEvent {
  readonly type: string
  readonly created: number
  readonly data: { readonly object: JsonObject }
}

/** The response of `GET /v1/projections`. */
export type ProjectionResponse = Omit<Projection, 'data'> & { readonly data: readonly ProjectedEvent[] }
