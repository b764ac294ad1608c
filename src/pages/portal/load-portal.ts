import type { SubscriptionUpdateRecords } from '../../domain/billing/apply-subscription-change.ts'
import type { Invoice } from '../../domain/billing/invoices.ts'
import { isLiveSubscription, type Subscription } from '../../domain/billing/subscriptions.ts'
import { isDeleted, type RuleContext } from '../../domain/core/changes.ts'
import type { Instrument } from '../../domain/payments/payment-methods.ts'
import type { Payment } from '../../domain/payments/payments.ts'
import { previewSubscriptionChange } from '../../domain/reports/invoice-preview.ts'
import type { PortalSession } from '../../domain/sessions/portal-sessions.ts'
import { loadSubscriptionBillingRecords } from '../../engine/load-billing.ts'
import { loadReplacedCards } from '../../engine/load-card-update.ts'
import { loadSubscriptionUpdateRecords } from '../../engine/load-subscription-change.ts'
import { createRuleContextAt, type Runtime } from '../../engine/runtime.ts'
import { getTimeReference, loadReferencedTime } from '../../engine/time-reference.ts'
import type { TransactionReader } from '../forms/form-submission.ts'

/** Maximum number of objects of one type on the page: subscriptions, invoices or payments. */
const MAX_OBJECTS = 100

/** A subscription on the page of a portal session. */
export interface PortalSubscription {
  readonly subscription: Subscription
  /** A preview of the next invoice; null when no invoice is scheduled. */
  readonly next: Invoice | null
  /** The oldest open invoice that the customer can pay now, or null. */
  readonly open: Invoice | null
}

/** The records of the page of a portal session, newest first. */
export interface PortalRecords {
  readonly subscriptions: readonly PortalSubscription[]
  /** The cards that the subscriptions charge, without duplicates. */
  readonly cards: readonly Instrument[]
  /** Finalized invoices that are not void, and payments without an invoice; empty when the feature is disabled. */
  readonly receipts: readonly (Invoice | Payment)[]
}

/** Loads the records of the page of a portal session. */
export async function loadPortalRecords(runtime: Runtime, session: PortalSession): Promise<PortalRecords> {
  const { store } = runtime
  const context = await createPreviewContext(runtime, session)
  const customer = await store.get('customers', session.customer)
  if (customer === null || isDeleted(customer)) throw new Error('open portal_session without a customer')
  const query = { where: { customer: session.customer }, limit: MAX_OBJECTS }
  const { data } = await store.list('subscriptions', query)
  const subscriptions: PortalSubscription[] = []
  for (const subscription of data) {
    const records = await loadChangeableSubscription(store, subscription)
    const open = records.account.invoices.find(({ status }) => status === 'open') ?? null
    const isLive = isLiveSubscription(subscription)
    const next = isLive ? previewSubscriptionChange(records, {}, context).next() : null
    subscriptions.push({ subscription, next, open })
  }
  const live = data.filter(isLiveSubscription)
  return {
    subscriptions,
    cards: await loadReplacedCards(store, { use_for: 'all' }, customer, live),
    receipts: session.features.invoices ? await loadReceipts(store, query) : [],
  }
}

async function loadReceipts(
  reader: TransactionReader,
  { where, limit }: { readonly where: { readonly customer: string }; readonly limit: number },
): Promise<(Invoice | Payment)[]> {
  const status = ['open', 'paid', 'uncollectible']
  const invoices = (await reader.list('invoices', { where: { ...where, status }, limit })).data
  const payments = (await reader.list('payments', { where: { ...where, status: 'succeeded' }, limit })).data
  const others = payments.filter(({ invoice }) => invoice === null)
  return [...invoices, ...others].toSorted((a, b) => b.created - a.created)
}

/** Loads a subscription with the records that its change requires. */
export async function loadChangeableSubscription(
  reader: TransactionReader,
  subscription: Subscription,
): Promise<SubscriptionUpdateRecords> {
  return loadSubscriptionUpdateRecords(reader, await loadSubscriptionBillingRecords(reader, subscription))
}

/** Returns a context for rules whose changes are not stored, so their ids need not be unique in the store. */
export async function createPreviewContext(runtime: Runtime, session: PortalSession): Promise<RuleContext> {
  const { store } = runtime
  const now = await loadReferencedTime(getTimeReference(session), store, runtime.wallNow())
  let count = 0
  const newId = (prefix: string) => {
    count += 1
    return `${prefix}preview${count}`
  }
  return { ...createRuleContextAt(runtime, now), newId }
}
