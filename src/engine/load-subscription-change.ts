import type { SubscriptionUpdateRecords } from '../domain/billing/apply-subscription-change.ts'
import type { BillingRecords } from '../domain/billing/billing-unit-of-work.ts'
import type { CreditableLine } from '../domain/billing/credit-corrections.ts'
import type { VoidInvoiceRecords } from '../domain/billing/invoice-actions.ts'
import type { Invoice } from '../domain/billing/invoices.ts'
import type { StoreReader } from '../store/port/store.ts'
import { loadInvoiceRecords } from './load-billing.ts'
import { iterateRecordPages, loadPendingInvoiceItems } from './load-related.ts'

/**
 * Loads the records of a subscription update: the billed lines of the current period, from invoices and pending items,
 * and the timer of the trial.
 */
export async function loadSubscriptionUpdateRecords(
  reader: StoreReader,
  account: BillingRecords,
): Promise<SubscriptionUpdateRecords> {
  const { id, current_period_start } = account.subscription
  return {
    account,
    ...(await loadBilled(reader, account, current_period_start)),
    trialTimer: await reader.get('timers', id),
  }
}

/** Loads an invoice with the billed lines of its periods, from invoices and pending items. */
export async function loadInvoiceVoidRecords(
  reader: StoreReader,
  invoice: Invoice,
): Promise<VoidInvoiceRecords> {
  const records = await loadInvoiceRecords(reader, invoice)
  const starts = invoice.lines.map(({ period }) => period.start)
  return { ...records, ...(await loadBilled(reader, records.account, Math.min(...starts))) }
}

/** Loads the lines that were billed since the start of a period, oldest first. */
async function loadBilled(
  reader: StoreReader,
  { subscription: { id, customer }, pendingItems }: BillingRecords,
  start: number | null,
): Promise<Pick<SubscriptionUpdateRecords, 'customerItems'> & Pick<VoidInvoiceRecords, 'billed'>> {
  const invoices = start === null ? [] : await loadInvoicesSince(reader, id, start)
  // A void invoice bills nothing.
  const billing = invoices.filter(({ status }) => status !== 'void')
  return {
    billed: [...billing.flatMap(toBilledLines), ...pendingItems],
    customerItems: await loadPendingInvoiceItems(reader, { pending_customer: customer }),
  }
}

// An earlier invoice may bill a part of the period, if a change of the interval ended the period of that invoice early.
async function loadInvoicesSince(
  reader: StoreReader,
  subscription: string,
  start: number,
): Promise<Invoice[]> {
  const found: Invoice[] = []
  const isLater = ({ created, period_end }: Invoice) => created >= start || period_end > start
  for await (const page of iterateRecordPages(reader, 'invoices', { where: { subscription } })) {
    found.push(...page.filter(isLater))
    if (!page.every(isLater)) break
  }
  return found.reverse()
}

function toBilledLines({ id, lines }: Invoice): CreditableLine[] {
  return lines.map((line) => ({ ...line, invoice: id }))
}
