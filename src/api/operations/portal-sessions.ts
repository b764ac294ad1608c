import {
  createPortalSession,
  listPortalPlanErrors,
  portalSessionParams,
  portalSessionSchema,
} from '../../domain/sessions/portal-sessions.ts'
import { EXAMPLE_IDS } from './example-requests.ts'
import { defineHostedSessionOperations } from './session-operations.ts'

/** Operations on portal sessions, on whose hosted page a customer manages subscriptions. */
export const portalSessions = defineHostedSessionOperations('portal_sessions', portalSessionSchema, {
  params: portalSessionParams,
  example: {
    customer: EXAMPLE_IDS.customers,
    return_url: 'https://example.com/account',
    features: {
      cancel: 'at_period_end',
      plans: [{ description: 'Large', amount: 200_000, currency: 'eur', interval: 'month' }],
    },
  },
  validate: listPortalPlanErrors,
  load: async () => null,
  create: (params, { customer }, context) => createPortalSession(params, customer, context),
  filters: {},
  createSummary: 'Creates a portal session, on whose page the customer manages subscriptions.',
  createDescription:
    'Redirect your signed-in customer to the `url` of the response, and do not send it to others: anyone with the link can use it for an hour. On the page, the customer sees the subscriptions, replaces the card, changes plan or quantity after a preview, cancels or resumes, and downloads receipts. `features` can disable each of these actions. A change of plan or quantity is prorated and invoiced immediately, and a declined charge changes nothing. Events of these changes contain the request id of the submitted form. `{PORTAL_SESSION_ID}` in `return_url` is replaced by the id.',
  listDescription: 'Filter by customer, status or creation time.',
  retrieveDescription:
    '`status` is `open` or `expired`. Changes by the customer are in the events of subscriptions and cards.',
})
