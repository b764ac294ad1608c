type Fields = Readonly<Record<string, unknown>>

/** Fields that records of version 0.1.0 lack. */
interface NewerFields {
  /** The path of a field of every record that is not older. */
  readonly isIn: readonly string[]
  /** Returns the missing fields of an older record. */
  readonly of: (older: Fields) => Fields
}

/** The newer fields of objects, by their `object`. */
const NEWER_FIELDS: ReadonlyMap<string, NewerFields> = new Map([
  ['customer', { isIn: ['balances'], of: () => ({ balances: {} }) }],
  ['checkout_session', { isIn: ['payment_method_collection'], of: fieldsOfCheckoutSession }],
  [
    'payment_session',
    {
      isIn: ['save_payment_method'],
      of: () => ({ save_payment_method: false, payment_method: null, branding: null, locale: null }),
    },
  ],
  ['payment', { isIn: ['payment_method_details', 'card', 'wallet'], of: fieldsOfPayment }],
  ['payment_method', { isIn: ['card', 'wallet'], of: ({ card }) => ({ card: withoutWallet(card) }) }],
  ['subscription', { isIn: ['trial_settings'], of: fieldsOfSubscription }],
  ['invoice', { isIn: ['balance_applied'], of: fieldsOfInvoice }],
  ['test_clock', { isIn: ['month_steps_start'], of: () => ({ month_steps_start: null }) }],
  ['webhook_delivery', { isIn: ['fault'], of: () => ({ fault: null }) }],
  ['request_log', { isIn: ['fault'], of: () => ({ fault: null }) }],
])

const NO_TRIAL = { trial_end: null, trial_settings: null }

/** Returns a record with the fields that a record of version 0.1.0 lacks; returns others, and deleted objects, as they are. */
export function withNewerFields<T extends { readonly object: string }>(record: T): T {
  const newer = NEWER_FIELDS.get(record.object)
  if (newer === undefined || 'deleted' in record || hasField(record, newer.isIn)) return record
  return { ...record, ...newer.of(record as Fields) }
}

function hasField(record: object, path: readonly string[]): boolean {
  let value: unknown = record
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !(name in value)) return false
    value = (value as Fields)[name]
  }
  return true
}

/** Returns a result as the JSON text of a response; its records have the newer fields. */
export function serializeResult(result: unknown): string {
  if (!isRecord(result)) return JSON.stringify(result)
  if (result.object !== 'list') return JSON.stringify(withNewerFields(result))
  const { data } = result as { readonly data?: unknown }
  const records = Array.isArray(data) ? data.map((one) => (isRecord(one) ? withNewerFields(one) : one)) : data
  return JSON.stringify({ ...result, data: records })
}

function isRecord(value: unknown): value is { readonly object: string } {
  return typeof value === 'object' && value !== null && 'object' in value
}

function fieldsOfCheckoutSession({ subscription_data }: Fields): Fields {
  const terms = subscription_data as Fields
  return {
    payment_method_collection: 'always',
    branding: null,
    locale: null,
    subscription_data: { ...terms, items: withQuantities(terms), trial_days: null, ...NO_TRIAL },
  }
}

function fieldsOfPayment(older: Fields): Fields {
  const { checkout_session, payment_session } = older
  const details = older['payment_method_details'] as Fields
  const session = payment_session === null ? 'invoice' : 'payment_session'
  return {
    origin: checkout_session === null ? session : 'checkout_session',
    description: null,
    // Development versions after 0.1.0 wrote the fields above, but not the wallet.
    ...('origin' in older && { origin: older['origin'], description: older['description'] }),
    payment_method_details: { ...details, card: withoutWallet(details['card']) },
  }
}

function withoutWallet(card: unknown): Fields {
  return { ...(card as Fields), wallet: null }
}

function fieldsOfSubscription(older: Fields): Fields {
  return { items: withQuantities(older), trial_start: null, ...NO_TRIAL, pause_collection: null }
}

function withQuantities({ items }: Fields): readonly Fields[] {
  return (items as readonly Fields[]).map((item) => ({ ...item, quantity: 1 }))
}

function fieldsOfInvoice({ lines, finalized_at }: Fields): Fields {
  const balance = finalized_at === null ? null : 0
  return {
    lines: (lines as readonly Fields[]).map((line) => ({
      ...line,
      ...{ quantity: 1, unit_amount: line['amount'], proration: false, invoice_item: null },
    })),
    starting_balance: balance,
    ending_balance: balance,
    balance_applied: 0,
  }
}
