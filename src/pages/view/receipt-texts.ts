import type { HtmlValue } from '../markup/html.ts'
import type { OrderRow } from './order-lines.ts'

/** A name and a value of a receipt or of its page. */
export type DetailRow = readonly [name: string, value: HtmlValue]

/** The texts of a receipt, for its page and its PDF. */
export interface ReceiptTexts {
  /** The number of the invoice, as the title of one of several receipts. */
  readonly title: string
  /** Null when nothing was paid. */
  readonly paid: {
    readonly amount: string
    readonly date: string
    /** Whether the payment was refunded; null without a refund. */
    readonly refundState: string | null
    /** In Unix seconds. */
    readonly at: number
  } | null
  readonly details: readonly DetailRow[]
  readonly rows: readonly OrderRow[]
}

/** The title of a page with receipts, its own details, and the receipts. */
export interface ReceiptPage {
  readonly title: string
  readonly details?: readonly (DetailRow | null)[]
  readonly receipts: readonly ReceiptTexts[]
}
