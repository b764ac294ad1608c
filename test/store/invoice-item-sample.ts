import type { InvoiceItem } from '../../src/domain/invoice-items.ts'

/** A pending credit of the sample subscription. */
export const INVOICE_ITEM_SAMPLE = {
  id: 'ii_sample',
  object: 'invoice_item',
  created: 1_700_000_000,
  livemode: false,
  customer: 'cus_sample',
  subscription: 'sub_sample',
  subscription_item: null,
  invoice: null,
  currency: 'eur',
  description: 'Replacement key',
  type: 'other',
  quantity: 2,
  unit_amount: -500,
  amount: -1000,
  tax_percent: 19,
  tax_amount: -190,
  total: -1190,
  period: { start: 1_700_000_000, end: 1_700_000_000 },
  proration: false,
  metadata: { order: '6735' },
  test_clock: null,
} as const satisfies InvoiceItem
