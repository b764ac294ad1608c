import type { CustomerObjectTable } from '../../../api/resources/catalog.ts'
import { formatAmount } from '../../../domain/core/currencies.ts'
import { isJsonObject, type JsonObject } from '../../../domain/core/json-object.ts'
import { toCanonicalJson } from '../../../domain/text/canonical-json.ts'
import type { PossibleFinding } from './finding-rules.ts'

/** One payment, refund, invoice, subscription or customer balance. */
interface MoneyItem {
  readonly resource: string
  readonly words: string
  /** The amount in minor units; 0 for a subscription or a customer balance. */
  readonly amount: number
}

/** The objects of a run that show moved or owed money. */
export type MonetaryObjects = readonly MoneyItem[]

/**
 * Returns the objects of a sandbox that show moved or owed money. Sessions, customers without a balance, drafts and
 * failed payments do not count, because a client that repeats a request may create more of them.
 */
export function listMonetaryObjects(objects: Readonly<Record<string, readonly object[]>>): MonetaryObjects {
  const all = Object.values(objects).flat()
  return all.flatMap((object) => (isJsonObject(object) ? toMoney(object) : []))
}

function toMoney(object: JsonObject): MoneyItem[] {
  const rule = new Map(Object.entries(RULES)).get(String(object['object']))
  return rule?.(object, String(object['status'])) ?? []
}

/** The function that returns the monetary objects of an object, by object type; null for types without money. */
const RULES: CustomerObjectTable<((object: JsonObject, status: string) => MoneyItem[]) | null> = {
  payment(object, status) {
    if (status === 'requires_capture')
      return [amountItem('payments', 'reserved payment', object, 'amount_capturable')]
    return status === 'succeeded'
      ? [amountItem('payments', 'succeeded payment', object, 'amount_captured')]
      : []
  },
  refund: (object, status) =>
    status === 'failed' ? [] : [amountItem('refunds', 'refund', object, 'amount')],
  dispute: (object, status) =>
    status === 'lost' ? [amountItem('disputes', 'lost dispute', object, 'amount')] : [],
  invoice: (object, status) =>
    status === 'draft' || status === 'void'
      ? []
      : [amountItem('invoices', `${status} invoice`, object, 'total')],
  subscription: (object, status) => {
    const isEnding = object['cancel_at_period_end'] === true && status !== 'canceled'
    const ending = isEnding ? ' that ends with its period' : ''
    return [{ resource: 'subscriptions', words: `${status} subscription${ending}`, amount: 0 }]
  },
  customer: ({ balances }) => creditItems(balances),
  checkout_session: null,
  payment_session: null,
  card_session: null,
  portal_session: null,
  payment_method: null,
  invoice_item: null,
}

function amountItem(resource: string, noun: string, object: JsonObject, field: string): MoneyItem {
  const amount = Number(object[field])
  return { resource, words: `${noun} of ${formatAmount(amount, String(object['currency']))}`, amount }
}

function creditItems(balances: unknown): MoneyItem[] {
  if (!isJsonObject(balances)) return []
  return Object.entries(balances).map(([currency, balance]) => ({
    resource: 'customers',
    words: `customer with a balance of ${formatAmount(Number(balance), currency)}`,
    amount: 0,
  }))
}

/**
 * Returns the differences between the monetary objects of a run and the expected objects. Additional payments, refunds,
 * invoices or subscriptions have the meaning `money lost`.
 */
export function compareMonetaryObjects(
  expected: MonetaryObjects,
  actual: MonetaryObjects,
): PossibleFinding[] {
  const keyOf = ({ resource, words }: MoneyItem) => toCanonicalJson([resource, words])
  const [expectedByKey, actualByKey] = [Map.groupBy(expected, keyOf), Map.groupBy(actual, keyOf)]
  const keys = new Set([...expectedByKey.keys(), ...actualByKey.keys()])
  return [...keys].sort().flatMap((key): PossibleFinding[] => {
    const [resource, words]: [string, string] = JSON.parse(key)
    const before = expectedByKey.get(key)?.length ?? 0
    const now = actualByKey.get(key)?.length ?? 0
    if (before === now) return []
    const isMore = now > before
    const isLoss = isMore && hasGrown(resource, expected, actual)
    return [
      {
        ...{ kind: 'money', change: isMore ? 'more' : 'less', path: `${resource}: ${words}` },
        ...{ expected: String(before), actual: String(now) },
        ...{ meaning: isLoss ? 'money lost' : 'money missing', entry: null },
        text: `${resource}: ${describeCount(Math.abs(now - before), isMore)} ${words} (${now} instead of ${before})`,
      },
    ]
  })
}

function describeCount(count: number, isMore: boolean): string {
  const number = count === 1 ? 'one' : String(count)
  return isMore ? `${number} more` : `${number} fewer`
}

// A subscription with another status is not an additional subscription.
function hasGrown(resource: string, expected: MonetaryObjects, actual: MonetaryObjects): boolean {
  const of = (money: MonetaryObjects) => money.filter((item) => item.resource === resource)
  const sum = (money: MonetaryObjects) => of(money).reduce((total, { amount }) => total + amount, 0)
  return of(actual).length > of(expected).length || sum(actual) > sum(expected)
}
