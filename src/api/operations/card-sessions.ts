import {
  type CardSessionOwner,
  cardSessionParams,
  cardSessionSchema,
  createCardSession,
  validateCardSession,
} from '../../domain/completion/card-sessions.ts'
import * as p from '../../domain/core/params.ts'
import { requireCustomer } from '../../domain/payments/customers.ts'
import { effectiveTimeOf } from '../../engine/effective-time.ts'
import { defineList } from '../core/lists.ts'
import { defineMutation } from '../core/operation.ts'
import { defineRetrieve, requireById } from '../core/retrieve.ts'
import { defineComplete } from './complete-session.ts'
import { EXAMPLE_CARD_SESSION } from './example-requests.ts'
import { defineExpire } from './expire-session.ts'
import { loadCustomerTime } from './session-params.ts'

/** Operations on card sessions, whose hosted page replaces the card that renewals charge. */
export const cardSessions = {
  create: defineMutation({
    path: '/v1/card_sessions',
    summary: 'Creates a card session, on whose page the customer updates the card.',
    description:
      'Send the `url` of the response to the customer, for example after a failed renewal. The page saves the new card, sets it as the default card of the customer and of the subscriptions that have their own (see `use_for`), and pays their open invoices with it. The card stays saved if its issuer declines an invoice. Invoices with `collection_method: send_invoice` are not paid. Afterwards the page redirects to `return_url`, where `{CARD_SESSION_ID}` is replaced by the id. Old cards stay attached.',
    params: cardSessionParams,
    response: cardSessionSchema,
    example: EXAMPLE_CARD_SESSION,
    validate: (params, { now }) => validateCardSession(params, now),
    loadTime: loadCustomerTime,
    load: async (reader, params): Promise<CardSessionOwner> => {
      const { subscription: id } = params
      const customer = requireCustomer(await reader.get('customers', params.customer), params.customer)
      const subscription =
        id === undefined ? null : await requireById(reader, 'subscriptions', id, 'subscription')
      return { customer, subscription }
    },
    when: ({ customer }) => effectiveTimeOf(customer),
    decide: (owner, params, context) => {
      const created = createCardSession(params, owner, context)
      return { changes: [created], result: created.after }
    },
  }),

  list: defineList('card_sessions', cardSessionSchema, {
    summary: 'Lists card sessions, newest first.',
    description: 'Filter by customer, status or creation time.',
    filters: {
      customer: p.id('Only sessions of this customer.'),
      status: p.choice(['open', 'complete', 'expired'], 'Only sessions with this status.'),
    },
  }),

  retrieve: defineRetrieve('card_sessions', cardSessionSchema, {
    summary: 'Retrieves a card session.',
    description:
      'Use it after the customer returns to your site: `status` is `open`, `complete` or `expired`, and `payment_method` names the saved card of a complete session.',
  }),

  expire: defineExpire('card_sessions', cardSessionSchema, 'Expires an open card session.'),
  complete: defineComplete(
    'card_sessions',
    cardSessionSchema,
    'Completes an open card session with a test card.',
  ),
}
