import type { HtmlValue } from '../markup/html.ts'
import type { OrderRow } from './order-lines.ts'

/** A row of a receipt or of its page: a name and a value. */
export type DetailRow = readonly [name: string, value: HtmlValue]

/** The texts of a receipt, for its page and its PDF. */
export interface ReceiptTexts {
  /** The number of the invoice, which is the title when a page has several receipts. */
  readonly title: string
  /** The paid amount; null when nothing was paid. */
  readonly paid: {
    readonly amount: string
    readonly date: string
    /** The text about the refund of the payment; null without a refund. */
    readonly refundState: string | null
    /** The time of the payment in Unix seconds. */
    readonly at: number
  } | null
  readonly details: readonly DetailRow[]
  readonly rows: readonly OrderRow[]
}

/** The title of a page with receipts, its additional details, and the receipts. */
export interface ReceiptPageContent {
  readonly title: string
  readonly details?: readonly (DetailRow | null)[]
  readonly receipts: readonly ReceiptTexts[]
}
