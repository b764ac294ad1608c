import type { Metadata } from './metadata.ts'
import type { Interval } from './periods.ts'

export type CollectionMethod = 'charge_automatically' | 'send_invoice'

/** A price per period: `amount` in minor units, without tax. `tax_percent` is added to it. */
export interface PriceData {
  readonly amount: number
  readonly currency: string
  readonly tax_percent: number
}

export interface BilledItem {
  readonly description: string | null
  readonly type: string
  readonly price_data: PriceData
}

export interface SubscriptionItem extends BilledItem {
  readonly id: string
}

/** The terms of the subscription that a completed checkout session creates. */
export interface SubscriptionTerms<Item extends BilledItem = BilledItem> {
  readonly collection_method: CollectionMethod
  readonly interval: Interval
  readonly interval_count: number
  readonly start_date: number | null
  readonly days_until_due: number | null
  readonly metadata: Metadata
  readonly items: readonly Item[]
}
