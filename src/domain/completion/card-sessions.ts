import { requireLiveSubscription, type Subscription } from '../billing/subscriptions.ts'
import { type Creation, type RuleContext, toCreation } from '../core/changes.ts'
import {
  DomainError,
  throwValidationErrors,
  type Unvalidated,
  type ValidationError,
} from '../core/domain-error.ts'
import { createMetadata } from '../core/metadata.ts'
import * as p from '../core/params.ts'
import * as s from '../core/schema.ts'
import type { Customer } from '../payments/customers.ts'
import {
  createLeadingSessionFields,
  createTrailingSessionFields,
  listSessionExpiryErrors,
  sessionParams,
  sessionStatusSchema,
  trailingSessionProperties,
} from '../sessions/sessions.ts'

const USES = ['all', 'customer', 'subscription'] as const
const USES_TEXT =
  '`all`: the default card of the customer and of every subscription that has its own card; `customer`: the default card of the customer; `subscription`: the card of one subscription.'

/** The schema of a card session. */
export const cardSessionSchema = s.resourceObject(
  'card_session',
  'A page with a shareable URL, on which a customer replaces the card that renewals charge.',
  {
    url: s.url(
      'The page on which the customer enters the card. The page shows the result after the session has ended.',
    ),
    status: sessionStatusSchema,
    customer: s.id('The customer whose card is replaced.'),
    use_for: s.enumOf(USES, `The uses of the new card. ${USES_TEXT}`),
    subscription: s.nullable(
      s.id(
        'The only subscription that charges the new card; null if the card is not limited to one subscription.',
      ),
    ),
    pay_open_invoices: s.boolean(
      'Whether the new card also pays the open invoices of the subscriptions that use the card.',
    ),
    return_url: s.nullable(s.url('The page to which the customer returns; null if no URL was given.')),
    ...trailingSessionProperties,
    payment_method: s.nullable(s.id('The saved card; null before the session is completed.')),
    ...s.metadataAndClockProperties,
  },
)

export type CardSession = s.ValueOf<typeof cardSessionSchema>

/** The parameters of a new card session. */
export const cardSessionParams = p.shape(
  { customer: p.id('Customer whose card is replaced.') },
  {
    use_for: p.choice(
      USES,
      `Use of the new card (default: \`subscription\` with a subscription, otherwise \`all\`). ${USES_TEXT}`,
    ),
    subscription: p.id('The only subscription that the card is for.'),
    pay_open_invoices: p.boolean(
      'Also pay the open invoices of the subscriptions that use the card (default: true).',
    ),
    return_url: p.url('URL to which the customer returns after completion.'),
    ...sessionParams,
  },
)

export type CardSessionParams = s.ValueOf<typeof cardSessionParams>

/** Returns the validation errors of a new card session: missing or exclusive parameters, and an invalid `expires_at`. */
export function listCardSessionErrors(
  { use_for, subscription, expires_at }: Unvalidated<CardSessionParams>,
  now: number | null,
): ValidationError[] {
  const expiry = now === null ? [] : listSessionExpiryErrors(expires_at, now)
  const param = 'subscription'
  if (use_for === 'subscription' && subscription === undefined) {
    const message = 'Missing subscription: use_for subscription requires the id of the subscription.'
    return [{ code: 'parameter_missing', param, message }, ...expiry]
  }
  const isForSeveral = use_for === 'all' || use_for === 'customer'
  if (!isForSeveral || subscription === undefined) return expiry
  const message = `Give subscription or use_for ${use_for}, not both: a card for one subscription has use_for subscription.`
  return [{ code: 'parameters_exclusive', param, message }, ...expiry]
}

/** The customer of a new card session, and the subscription if the card is for only one subscription. */
export interface CardSessionSubject {
  readonly customer: Customer
  readonly subscription: Subscription | null
}

/** Creates an open session that replaces a card. Throws when the subscription is canceled or of another customer. */
export function createCardSession(
  fields: CardSessionParams,
  { customer, subscription }: CardSessionSubject,
  context: RuleContext,
): Creation<CardSession> {
  throwValidationErrors(listCardSessionErrors(fields, context.now))
  if (subscription !== null) requireOwnSubscription(subscription, customer)
  return toCreation('card_session.created', {
    ...createLeadingSessionFields('card_session', context),
    customer: customer.id,
    use_for: fields.use_for ?? (subscription === null ? 'all' : 'subscription'),
    subscription: subscription?.id ?? null,
    pay_open_invoices: fields.pay_open_invoices ?? true,
    return_url: fields.return_url ?? null,
    ...createTrailingSessionFields(fields, context),
    payment_method: null,
    metadata: createMetadata(fields.metadata),
    test_clock: customer.test_clock,
  })
}

function requireOwnSubscription(subscription: Subscription, customer: Customer): void {
  if (subscription.customer !== customer.id) {
    throw new DomainError(
      'subscription_unexpected_customer',
      `Subscription '${subscription.id}' does not belong to customer '${customer.id}'. List the customer's subscriptions with GET /v1/subscriptions?customer=${customer.id}.`,
      { param: 'subscription' },
    )
  }
  requireLiveSubscription(subscription, 'update the card of')
}

/** Returns whether completing the session sets the card of a subscription to the new card. */
export function isSubscriptionCardReplaced(
  { use_for, subscription: only }: CardSession,
  { id, default_payment_method }: Subscription,
): boolean {
  return use_for === 'all' ? default_payment_method !== null : use_for === 'subscription' && id === only
}

/** Returns whether a subscription charges the new card after the session is completed. */
export function isNewCardCharged(session: CardSession, subscription: Subscription): boolean {
  const hasOwnCard = subscription.default_payment_method !== null
  return (
    isSubscriptionCardReplaced(session, subscription) || (session.use_for !== 'subscription' && !hasOwnCard)
  )
}
