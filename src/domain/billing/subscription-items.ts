import type { RuleContext } from '../core/changes.ts'
import { DomainError, throwValidationErrors, type ValidationError } from '../core/domain-error.ts'
import { MAX_SUBSCRIPTION_ITEMS } from '../core/money.ts'
import { listMaxAmountErrors } from '../sessions/item-amounts.ts'
import type { ItemChange } from './subscription-change-params.ts'
import type { Subscription } from './subscriptions.ts'

type SubscriptionItem = Subscription['items'][number]

/**
 * Returns the items of a subscription after a change. Changes or removes listed items, adds new items at the end, and
 * keeps other items. Throws all validation errors together.
 */
export function applyItemChanges(
  subscription: Subscription,
  changes: readonly ItemChange[],
  context: RuleContext,
): readonly SubscriptionItem[] {
  throwValidationErrors(changes.flatMap((change, index) => validateChange(subscription, change, index)))
  const named = new Map(changes.map((change) => [change.id, change]))
  const kept = subscription.items.flatMap((item) => {
    const change = named.get(item.id)
    return change?.deleted === true ? [] : [change === undefined ? item : changeItem(item, change)]
  })
  const added = changes
    .filter(({ id }) => id === undefined)
    .map((change) => createItem(subscription, change, context))
  const items = [...kept, ...added]
  requireItemCount(subscription, items.length)
  throwValidationErrors(listMaxAmountErrors(items, 'items'))
  return items
}

function changeItem(item: SubscriptionItem, change: ItemChange): SubscriptionItem {
  const { id: _id, deleted: _deleted, price_data, ...fields } = change
  return { ...item, ...fields, price_data: { ...item.price_data, ...price_data } }
}

function createItem(
  { currency }: Subscription,
  { description, type, quantity, price_data }: ItemChange,
  context: RuleContext,
): SubscriptionItem {
  return {
    id: context.newId('si_'),
    description: description ?? null,
    type: type ?? 'other',
    price_data: { amount: price_data?.amount ?? 0, currency, tax_percent: price_data?.tax_percent ?? 0 },
    quantity: quantity ?? 1,
  }
}

function validateChange(
  { id: subscriptionId, items, currency }: Subscription,
  { id, price_data }: ItemChange,
  index: number,
): ValidationError[] {
  const errors: ValidationError[] = []
  if (id !== undefined && !items.some((item) => item.id === id)) {
    const ids = items.map((item) => item.id).join(', ')
    const message = `No such item: '${id}' is not an item of subscription '${subscriptionId}'. Its items are ${ids}.`
    errors.push({ code: 'resource_missing', param: `items[${index}][id]`, message })
  }
  const given = price_data?.currency ?? currency
  if (given !== currency) {
    const message = `Item currency '${given}' differs from the subscription currency '${currency}', which cannot change. Omit the item currency.`
    errors.push({ code: 'currency_mismatch', param: `items[${index}][price_data][currency]`, message })
  }
  return errors
}

function requireItemCount({ id }: Subscription, count: number): void {
  if (count >= 1 && count <= MAX_SUBSCRIPTION_ITEMS) return
  const reason =
    count === 0
      ? 'no item would remain. To end the subscription, cancel it'
      : `${count} items would result, and ${MAX_SUBSCRIPTION_ITEMS} is the limit. Remove some of them`
  throw new DomainError('parameter_invalid_array', `Cannot change subscription '${id}': ${reason}.`, {
    param: 'items',
  })
}
