import type { Metadata } from './metadata.ts'
import type { Interval } from './periods.ts'

export type CollectionMethod = 'charge_automatically' | 'send_invoice'

/** A price per period: `amount` in minor units, `tax_percent` added on top. */
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

/** What buyer and seller agree on when a checkout session completes. */
export interface SubscriptionTerms<Item extends BilledItem = BilledItem> {
  readonly collection_method: CollectionMethod
  readonly interval: Interval
  readonly interval_count: number
  readonly start_date: number | null
  readonly days_until_due: number | null
  readonly metadata: Metadata
  readonly items: readonly Item[]
}
