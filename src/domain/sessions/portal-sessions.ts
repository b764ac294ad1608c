import { type Creation, type RuleContext, toCreation } from '../core/changes.ts'
import { throwValidationErrors, type Unvalidated, type ValidationError } from '../core/domain-error.ts'
import { createMetadata } from '../core/metadata.ts'
import * as p from '../core/params.ts'
import * as s from '../core/schema.ts'
import type { Customer } from '../payments/customers.ts'
import { listPeriodLengthErrors } from '../time/periods.ts'
import {
  createLeadingSessionFields,
  createTrailingSessionFields,
  sessionParams,
  trailingSessionProperties,
} from './sessions.ts'

const CANCEL = ['at_period_end', 'now', 'off'] as const
const INTERVALS = ['day', 'week', 'month', 'year'] as const
const MAX_PLANS = 20

/** The lifetime of a portal session, and of the card sessions that its page creates, in seconds. */
export const PORTAL_LIFETIME_SECONDS = 3600

const plan = s.object(
  {
    description: s.nullable(s.text('The new description of the item; null if it stays the same.')),
    amount: s.amount('The price of one unit per billing period without tax.'),
    currency: s.nullable(
      s.currencyCode('The currency of the subscriptions that can change to the plan; null for any currency.'),
    ),
    tax_percent: s.nullable(s.percent('The tax added to the price, in percent; null if it stays the same.')),
    interval: s.nullable(
      s.enumOf(INTERVALS, 'The unit of the billing period; null if the billing period stays the same.'),
    ),
    interval_count: s.nullable(
      s.integer(1, 'The number of intervals per billing period; null for one interval.'),
    ),
  },
  'A price that the customer can choose.',
)

const features = s.object(
  {
    cards: s.boolean('Whether the customer can replace the card.'),
    cancel: s.enumOf(
      CANCEL,
      'The end of a subscription that the customer cancels; `off` if the customer cannot cancel.',
    ),
    plans: {
      ...s.anyOf(s.arrayOf(plan, 'The prices.'), s.constant('off', 'No change is possible.')),
      description:
        'The prices that the customer can choose besides the current price; `off` if neither plan nor quantity can change.',
    },
    invoices: s.boolean('Whether the page lists invoices with their receipts.'),
  },
  'The actions that the page offers.',
)

const { completed_at: _completed, ...endProperties } = trailingSessionProperties

/** The schema of a portal session. */
export const portalSessionSchema = s.resourceObject(
  'portal_session',
  'A page with a shareable URL, on which a customer manages subscriptions, card and invoices for an hour.',
  {
    url: s.url('The page of the customer. Anyone with the link can use the page until the session expires.'),
    status: s.enumOf(['open', 'expired'], '`open` while the URL can be used; afterwards `expired`.'),
    customer: s.id('The customer whose subscriptions the page shows.'),
    features,
    return_url: s.nullable(s.url('The page that the customer returns to; null if no URL was given.')),
    ...endProperties,
    ...s.metadataAndClockProperties,
  },
)

export type PortalSession = s.ValueOf<typeof portalSessionSchema>
/** A price that a portal session offers. */
export type PortalPlan = s.ValueOf<typeof plan>

const planParams = p.shape(
  { amount: p.amount(0, 'Price of one unit per billing period in minor units: 1250 with eur is 12.50 EUR.') },
  {
    description: p.text(
      500,
      'Name of the plan, which becomes the description of the item (default: unchanged).',
    ),
    currency: p.currency('Currency of the subscriptions that can change to the plan (default: any).'),
    tax_percent: p.taxPercent(
      'Tax rate in percent, added to the price: 0 to 100 with at most four decimals (default: unchanged).',
    ),
    interval: p.choice(INTERVALS, 'Unit of the billing period (default: unchanged).'),
    interval_count: p.integer(
      { min: 1, errorCodes: { minimum: 'interval_count_out_of_range' } },
      'Number of intervals per billing period (default: 1). Requires `interval`.',
    ),
  },
  'A price that the customer can choose.',
)

type PlanParams = s.ValueOf<typeof planParams>

const plansParam = {
  type: ['array', 'string'],
  format: 'list-or-off',
  items: planParams as s.Schema<unknown>,
  maxItems: MAX_PLANS,
  description:
    'Prices that the customer can choose for a subscription with one item, up to 20. An empty list allows only changes of the quantity, and `off` allows no change (default: off).',
} as s.Schema<readonly PlanParams[] | 'off'>

/** The parameter `features` of a new portal session. */
export const portalFeaturesParam = p.shape(
  {},
  {
    cards: p.boolean('Let the customer replace the card (default: true).'),
    cancel: p.choice(
      CANCEL,
      'End of a subscription that the customer cancels: with its period, or immediately; `off` offers no cancellation (default: at_period_end).',
    ),
    plans: plansParam,
    invoices: p.boolean('List the invoices with their receipts (default: true).'),
  },
  'Actions that the page offers.',
)

const { expires_at: _expiry, ...commonParams } = sessionParams

/** The parameters of a new portal session. */
export const portalSessionParams = p.shape(
  { customer: p.id('Customer whose subscriptions the page shows.') },
  {
    return_url: p.url('URL to which the page links, to return to your site.'),
    features: portalFeaturesParam,
    ...commonParams,
  },
)

export type PortalSessionParams = s.ValueOf<typeof portalSessionParams>

/** Returns the validation errors of the billing periods of the plans. */
export function listPortalPlanErrors({
  features: given,
}: Unvalidated<PortalSessionParams>): ValidationError[] {
  const plans = given?.plans ?? []
  if (typeof plans === 'string') return []
  return plans.flatMap((one, index) => {
    const param = `features[plans][${index}][interval_count]`
    if (one === null || one.interval !== undefined) return listPeriodLengthErrors(one ?? {}, param)
    if (one.interval_count === undefined) return []
    const message = `${param} requires an interval. Give features[plans][${index}][interval], or omit interval_count.`
    return [{ code: 'parameter_missing', param, message }]
  })
}

/** Creates an open portal session, which expires after an hour. */
export function createPortalSession(
  fields: PortalSessionParams,
  customer: Customer,
  context: RuleContext,
): Creation<PortalSession> {
  throwValidationErrors(listPortalPlanErrors(fields))
  const { completed_at: _completed, ...end } = createTrailingSessionFields(
    { ...fields, expires_at: context.now + PORTAL_LIFETIME_SECONDS },
    context,
  )
  return toCreation('portal_session.created', {
    ...createLeadingSessionFields('portal_session', context),
    customer: customer.id,
    features: createFeatures(fields.features),
    return_url: fields.return_url ?? null,
    ...end,
    metadata: createMetadata(fields.metadata),
    test_clock: customer.test_clock,
  })
}

function createFeatures({
  cards = true,
  cancel = 'at_period_end',
  plans = 'off',
  invoices = true,
}: NonNullable<PortalSessionParams['features']> = {}): PortalSession['features'] {
  return { cards, cancel, plans: plans === 'off' ? plans : plans.map(createPlan), invoices }
}

function createPlan({ description, amount, currency, tax_percent, interval, interval_count }: PlanParams) {
  return {
    description: description ?? null,
    amount,
    currency: currency ?? null,
    tax_percent: tax_percent ?? null,
    interval: interval ?? null,
    interval_count: interval_count ?? null,
  }
}
