import type { InvoicePreview } from '../../../src/domain/reports/invoice-preview.ts'
import { lineEntry } from './snapshot-summary.ts'

/** Returns the compared fields of a preview. */
export function summarizePreview(preview: InvoicePreview): object {
  const { lines, subtotal, tax, total, amount_due, invoice_date, billing_reason } = preview
  return {
    ...{ date: invoice_date, reason: billing_reason, subtotal, tax, total, owed: amount_due },
    lines: lines.map(lineEntry),
  }
}
