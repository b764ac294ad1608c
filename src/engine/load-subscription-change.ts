import type { UpdateRecords } from '../domain/apply-subscription-change.ts'
import type { BillingAccount } from '../domain/billing-unit-of-work.ts'
import type { Invoice, InvoiceLine } from '../domain/invoices.ts'
import { quantityOf } from '../domain/item-amounts.ts'
import type { BilledLine } from '../domain/prorations.ts'
import type { Subscription } from '../domain/subscriptions.ts'
import type { StoreReader } from '../store/port/store.ts'
import { listPages, loadPendingItems } from './load-related.ts'

/** The statuses of invoices that bill all of their lines. */
const BILLING_STATUSES: readonly string[] = ['open', 'paid', 'uncollectible']

/** Adds what an update requires: what was billed in the current period, by invoices and pending items, and the trial's timer. */
export async function loadUpdateRecords(
  reader: StoreReader,
  account: BillingAccount,
): Promise<UpdateRecords> {
  const invoices = await loadPeriodInvoices(reader, account.subscription)
  return {
    account,
    billed: [...invoices.flatMap(billedLines).map(toBilledLine), ...account.pendingItems],
    trialTimer: await reader.get('timers', account.subscription.id),
    customerItems: await loadPendingItems(reader, { pending_customer: account.subscription.customer }),
  }
}

/** Loads the invoices that were created since the current period started, oldest first. */
async function loadPeriodInvoices(
  reader: StoreReader,
  { id, current_period_start: start }: Subscription,
): Promise<Invoice[]> {
  const found: Invoice[] = []
  if (start === null) return found
  for await (const page of listPages(reader, 'invoices', { where: { subscription: id } })) {
    found.push(...page.filter(({ created }) => created >= start))
    if (page.some(({ created }) => created < start)) break
  }
  return found.reverse()
}

// A draft may never be finalized, so its periods do not count. Its prorations count as they did while they were pending:
// otherwise each further change would credit the same time again. Nothing is owed of a void invoice.
function billedLines({ status, lines }: Invoice): readonly InvoiceLine[] {
  if (BILLING_STATUSES.includes(status)) return lines
  return status === 'draft' ? lines.filter(({ proration }) => proration) : []
}

// Lines of versions without quantities and prorations lack these fields.
function toBilledLine(line: InvoiceLine): BilledLine {
  const { unit_amount = line.amount, proration = false } = line
  return { ...line, quantity: quantityOf(line), unit_amount, proration }
}
