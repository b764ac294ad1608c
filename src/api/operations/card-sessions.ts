import {
  cardSessionParams,
  cardSessionSchema,
  createCardSession,
  listCardSessionErrors,
} from '../../domain/completion/card-sessions.ts'
import { requireById } from '../core/retrieve.ts'
import { defineCompleteOperation } from './complete-session.ts'
import { EXAMPLE_IDS } from './example-requests.ts'
import { defineHostedSessionOperations } from './session-operations.ts'

/** Operations on card sessions, whose hosted page replaces the card that renewals charge. */
export const cardSessions = {
  ...defineHostedSessionOperations('card_sessions', cardSessionSchema, {
    params: cardSessionParams,
    example: {
      customer: EXAMPLE_IDS.customers,
      return_url: 'https://example.com/account',
    },
    validate: listCardSessionErrors,
    load: async (reader, { subscription: id }) =>
      id === undefined ? null : requireById(reader, 'subscriptions', id, 'subscription'),
    create: (params, { customer, others: subscription }, context) =>
      createCardSession(params, { customer, subscription }, context),
    filters: {},
    createSummary: 'Creates a card session, on whose page the customer updates the card.',
    createDescription:
      'Send the `url` of the response to the customer, for example after a failed renewal. The page saves the new card, makes it the default card of the customer and of subscriptions with a default card (see `use_for`), and pays their open invoices. The card stays saved if its issuer declines an invoice. Invoices with `collection_method: send_invoice` are not paid. Afterwards the page redirects to `return_url`, where `{CARD_SESSION_ID}` is replaced by the id. Old cards stay attached.',
    listDescription: 'Filter by customer, status or creation time.',
    retrieveDescription:
      'Use it after the customer returns to your site: `status` is `open`, `complete` or `expired`, and `payment_method` names the saved card of a complete session.',
  }),
  complete: defineCompleteOperation('card_sessions', cardSessionSchema),
}
