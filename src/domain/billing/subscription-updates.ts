import { listUpdates, type ObjectUpdate, type RuleContext } from '../core/changes.ts'
import { throwValidationErrors } from '../core/domain-error.ts'
import { mergeMetadata } from '../core/metadata.ts'
import * as p from '../core/params.ts'
import * as s from '../core/schema.ts'
import { subscriptionDiscountParam } from '../sessions/discounts.ts'
import { trialEndParam } from '../sessions/trial-terms.ts'
import { getPauseUpdateFields, listPauseCollectionErrors, pauseCollectionParam } from './pause-collection.ts'
import { type SubscriptionChangeParams, subscriptionChangeParams } from './subscription-change-params.ts'
import type { Subscription } from './subscriptions.ts'

/** The parameters of an update of a subscription. */
export const subscriptionUpdateParams = p.shape(
  { id: p.id('The id of the subscription.') },
  {
    description: p.text(5000, 'Description of the subscription.'),
    metadata: p.metadataUpdate(),
    default_payment_method: s.nullable(
      p.id('Card for renewals (default: the default card of the customer).'),
    ),
    cancel_at_period_end: p.boolean(
      'End the subscription with the current period. A pending subscription ends at its start date, and a trialing subscription with its trial, without an invoice.',
    ),
    pause_collection: pauseCollectionParam,
    trial_end: trialEndParam,
    discount: subscriptionDiscountParam,
    ...subscriptionChangeParams,
  },
)

/** Changes to a subscription. Omitted fields keep their value; null unsets a field. */
export type SubscriptionUpdateParams = Omit<s.ValueOf<typeof subscriptionUpdateParams>, 'id'>

/**
 * The fields that an update sets. `changed` replaces the parameters that change prices, the billing period, the
 * trial or the discount.
 */
type UpdatedFields = Omit<
  SubscriptionUpdateParams,
  keyof SubscriptionChangeParams | 'trial_end' | 'discount'
> & {
  /** The new prices, billing period, end of the trial and discount. */
  readonly changed?: Partial<Subscription>
}

/** Returns the `subscription.updated` change with the given fields, or an empty list if no field differs. */
export function setSubscriptionFields(
  subscription: Subscription,
  { pause_collection, changed, ...fields }: UpdatedFields,
  context: RuleContext,
): ObjectUpdate<Subscription>[] {
  throwValidationErrors(listPauseCollectionErrors(pause_collection, context.now))
  const cancelAtPeriodEnd = fields.cancel_at_period_end ?? subscription.cancel_at_period_end
  const after: Subscription = {
    ...subscription,
    ...changed,
    ...fields,
    ...getPauseUpdateFields(subscription, pause_collection),
    metadata: mergeMetadata(subscription.metadata, fields.metadata),
    cancel_at_period_end: cancelAtPeriodEnd,
    canceled_at: cancelAtPeriodEnd ? (subscription.canceled_at ?? context.now) : null,
  }
  return listUpdates('subscription.updated', subscription, after)
}
