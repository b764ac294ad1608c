import { endWait } from '../../domain/authentications.ts'
import {
  checkoutProblems,
  createCheckoutSession,
  expireCheckoutSession,
} from '../../domain/checkout-sessions.ts'
import { requireCustomer } from '../../domain/customers.ts'
import { DomainError } from '../../domain/domain-error.ts'
import { MAX_ITEMS } from '../../domain/money.ts'
import { refuseWhileProcessing } from '../../domain/processing.ts'
import { nameOf, requireOpen } from '../../domain/sessions.ts'
import { onClockOf } from '../../engine/time-source.ts'
import { loadWaiting } from '../../engine/waiting.ts'
import type { Reader } from '../../store/port/store.ts'
import { listOperation } from '../core/lists.ts'
import { operation } from '../core/operation.ts'
import { byId, requireById, retrieveOperation } from '../core/retrieving.ts'
import { checkoutSession } from '../resources/checkout-sessions.ts'
import {
  amount,
  choice,
  currency,
  id,
  integer,
  list,
  metadata,
  shape,
  taxPercent,
  text,
  timestamp,
  url,
} from '../schema/schema.ts'
import { completeOperation } from './completing.ts'
import { EXAMPLE_CHECKOUT } from './example-requests.ts'
import { clockOfCustomer, sessionFields } from './session-fields.ts'

const MAX_LIVE_SUBSCRIPTIONS = 500

const priceData = shape(
  { amount: amount(0, 'Price per period in minor units: 1250 with eur is 12.50 EUR.') },
  {
    currency: currency("The session's currency; inherited unless given."),
    tax_percent: taxPercent('Tax added on top, 0 to 100 with at most four decimals.'),
  },
)

const item = shape(
  { price_data: priceData },
  {
    description: text(500, 'What the buyer gets; required on every item unless the session has one.'),
    type: {
      type: 'string',
      format: 'item-type',
      description: 'A label of your own, such as `rent`; `other` unless given.',
    } as ReturnType<typeof text>,
  },
)

const subscriptionData = shape(
  {
    interval: choice(['day', 'week', 'month', 'year'], 'Unit of the billing period.'),
    items: list(item, MAX_ITEMS, 'What is billed each period, 1 to 20 items.'),
  },
  {
    interval_count: integer(
      { min: 1, errorCodes: { minimum: 'interval_count_out_of_range' } },
      'Units per billing period, 1 unless given; a period lasts 3 years at most.',
    ),
    collection_method: choice(
      ['charge_automatically', 'send_invoice'],
      'Whether the card is charged or an invoice is sent; charge_automatically unless given.',
    ),
    start_date: timestamp(
      'When billing starts, in Unix seconds; may lie in the past or ahead; now unless given.',
    ),
    days_until_due: integer(
      { min: 0, max: 365 },
      'Days to pay a sent invoice (default: 30); with 0 it is due at the end of the day (UTC).',
    ),
    metadata: metadata(),
  },
)

/** A subscription to set up through a shareable URL. */
export const checkoutSessions = {
  create: operation({
    method: 'POST',
    path: '/v1/checkout_sessions',
    summary: 'Creates a checkout session: its url sets up a subscription.',
    params: shape(
      {
        currency: currency('Lower-case currency code.'),
        customer: id('The customer who will subscribe.'),
        subscription_data: subscriptionData,
      },
      {
        description: text(5000, 'What the subscription is; required unless every item has one.'),
        payment_method_types: list(
          choice(['card'], 'How the buyer may pay.', 'payment_method_type_unsupported'),
          100,
          'How the buyer may pay; only `card`.',
        ),
        return_url: url('Where the buyer goes after completing.'),
        ...sessionFields,
      },
    ),
    answer: checkoutSession,
    example: EXAMPLE_CHECKOUT,
    faults: (given, { now }) => checkoutProblems(given, now),
    clock: clockOfCustomer,
    load: async (reader, params) => {
      const customer = requireCustomer(await reader.get('customers', params.customer), params.customer)
      await refuseTooManySubscriptions(reader, customer.id)
      return customer
    },
    when: onClockOf,
    decide: (customer, params, context) => {
      const created = createCheckoutSession(params, customer, context)
      return { changes: [created], result: created.after }
    },
  }),

  list: listOperation({
    collection: 'checkout_sessions',
    path: '/v1/checkout_sessions',
    summary: 'Lists checkout sessions, newest first.',
    filters: {
      customer: id('Only sessions of this customer.'),
      status: choice(['open', 'complete', 'expired'], 'Only sessions in this state.'),
      subscription: id('Only the session that set up this subscription.'),
    },
  }),

  retrieve: retrieveOperation('checkout_sessions', 'Retrieves a checkout session.'),

  expire: operation({
    method: 'POST',
    path: '/v1/checkout_sessions/:id/expire',
    summary: 'Expires an open checkout session: its url stops working.',
    params: byId,
    answer: checkoutSession,
    load: async (reader, params) => ({
      session: await requireById(reader, 'checkout_sessions', params.id),
      waiting: await loadWaiting(reader, params.id),
    }),
    when: ({ session }) => onClockOf(session),
    decide: ({ session, waiting }, _params, context) => {
      refuseWhileProcessing(waiting.payment, `expire ${nameOf(session)}`)
      requireOpen(session, 'expire', context.now)
      const changes = expireCheckoutSession(session, { reason: 'api', payment: waiting.payment }, context)
      const { after } = changes.at(-1) ?? {}
      return { changes: [...changes, ...endWait(waiting.authentication)], result: after as typeof session }
    },
  }),

  complete: completeOperation(
    'checkout_sessions',
    'Completes an open checkout session as its buyer would on the page.',
  ),
}

async function refuseTooManySubscriptions(reader: Reader, customer: string): Promise<void> {
  const query = { where: { live_customer: customer }, limit: MAX_LIVE_SUBSCRIPTIONS }
  const live = await reader.list('subscriptions', query)
  if (live.data.length < MAX_LIVE_SUBSCRIPTIONS) return
  throw new DomainError(
    'customer_max_subscriptions',
    `Customer '${customer}' has ${MAX_LIVE_SUBSCRIPTIONS} live subscriptions, the most there can be. Cancel one, or use another customer.`,
    { param: 'customer' },
  )
}
