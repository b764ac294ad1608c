import { listSnapshotSessions, type Snapshot } from '../../../src/engine/invariants/snapshot.ts'
import { idOf, type ModelContext, UNKNOWN_ID } from './plans.ts'

/** Stores the ids of objects that jobs, sessions and changes created, in order. */
export function storeIds(context: ModelContext, snapshot: Snapshot): void {
  storeSessions(context, snapshot)
  storeSubscriptions(context, snapshot)
  storeInvoices(context, snapshot)
  storeDirectPayments(context, snapshot)
  storeDisputes(context, snapshot)
}

function storeAll(
  { ids }: ModelContext,
  made: readonly object[],
  found: readonly { readonly id: string }[],
): void {
  for (const [at, one] of made.entries()) ids.set(one, found[at]?.id ?? UNKNOWN_ID)
}

function storeSessions(context: ModelContext, snapshot: Snapshot): void {
  const { records } = snapshot
  const { ids, model } = context
  const sessions = listSnapshotSessions(snapshot)
  const found = new Map(sessions.map((session) => [session.id, session]))
  for (const session of model.sessions) {
    const id = idOf(context, session)
    const real = found.get(id)
    const subscription = real?.object === 'checkout_session' ? real.subscription : null
    if (session.subscription) ids.set(session.subscription, subscription ?? UNKNOWN_ID)
    const card = real && 'payment_method' in real ? real.payment_method : null
    if (session.card) ids.set(session.card, card ?? UNKNOWN_ID)
    const tried = records.payments.filter(({ checkout_session, payment_session }) =>
      [checkout_session, payment_session].includes(id),
    )
    storeAll(context, session.payments, tried)
  }
}

function storeSubscriptions(context: ModelContext, snapshot: Snapshot): void {
  const { records } = snapshot
  const { model } = context
  const items = records.invoice_items.flatMap((item) => ('deleted' in item ? [] : item))
  const itemsOf = Map.groupBy(items, ({ subscription }) => subscription)
  const found = new Map(records.subscriptions.map((one) => [one.id, one]))
  for (const subscription of model.subscriptions) {
    const id = idOf(context, subscription)
    storeAll(context, subscription.terms.items, found.get(id)?.items ?? [])
    const own = model.invoiceItems.filter((item) => item.subscription === subscription && !item.isDeleted)
    storeAll(context, own, itemsOf.get(id) ?? [])
  }
  storeDeletedItems(context, snapshot)
}

// A cancellation creates credits and deletes them again. All deleted items are alike.
function storeDeletedItems(context: ModelContext, { records }: Snapshot): void {
  const known = new Set(context.ids.values())
  const found = records.invoice_items.filter((item) => 'deleted' in item && !known.has(item.id))
  const made = context.model.invoiceItems.filter((item) => item.isDeleted && !context.ids.has(item))
  storeAll(context, made, found)
}

function storeInvoices(context: ModelContext, { records }: Snapshot): void {
  const { ids, model } = context
  const invoicesOf = Map.groupBy(records.invoices, ({ subscription }) => subscription)
  const paymentsOf = Map.groupBy(records.payments, ({ invoice }) => invoice)
  for (const subscription of model.subscriptions) {
    storeAll(context, subscription.invoices, invoicesOf.get(idOf(context, subscription)) ?? [])
    for (const invoice of subscription.invoices) {
      const paid = paymentsOf.get(idOf(context, invoice)) ?? []
      storeAll(context, invoice.payments, paid)
      for (const [at, { card }] of invoice.payments.entries()) {
        // The customer may have entered the card on the page of the invoice.
        if (card !== null && !ids.has(card)) ids.set(card, paid[at]?.payment_method ?? UNKNOWN_ID)
      }
    }
  }
}

function storeDirectPayments(context: ModelContext, { records }: Snapshot): void {
  const { model } = context
  const direct = records.payments.filter(
    ({ invoice, checkout_session, payment_session }) =>
      invoice === null && checkout_session === null && payment_session === null,
  )
  const found = Map.groupBy(direct, ({ customer }) => customer)
  for (const customer of model.customers) {
    const own = model.payments.filter(({ invoice, session }) => invoice === null && session === null)
    storeAll(
      context,
      own.filter((payment) => payment.customer === customer),
      found.get(idOf(context, customer)) ?? [],
    )
  }
}

function storeDisputes(context: ModelContext, { records }: Snapshot): void {
  const found = Map.groupBy(records.disputes, ({ payment }) => payment)
  for (const [payment, own] of Map.groupBy(context.model.disputes, (one) => one.payment))
    storeAll(context, own, found.get(idOf(context, payment)) ?? [])
}
