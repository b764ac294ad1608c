import type { ResourceName } from '../../../api/resources/catalog.ts'
import { getRemainingAmount, type PaymentAmounts } from '../../../domain/payments/remaining-amount.ts'
import type { ApiObject } from '../../data/history-scope.ts'
import { formatTime } from '../../format/format-time.ts'
import { headlineOf } from '../../format/object-headline.ts'

/** A change of an object that its screen has a button for: a request to an operation of the API. */
export interface ObjectAction {
  readonly label: string
  readonly path: (object: ApiObject) => string
  /** Returns the body of the request (default: none). */
  readonly body?: (object: ApiObject) => object
  /** The parameter that the user may enter: an integer, or a required text with its value in the body (default: none). */
  readonly parameter?: {
    readonly name: string
    readonly label: string
    readonly toValue?: (text: string) => unknown
  }
  /** Describes the effect of the action. */
  readonly confirmation: (object: ApiObject) => string
  /** Returns whether the state of the object allows the action (default: always). */
  readonly isOffered?: (object: ApiObject) => boolean
}

const OPEN_INVOICE = ['open', 'uncollectible']

/** Returns the action that advances a test clock to the time of an event, in Unix seconds. */
export function advanceTo(time: number): ObjectAction {
  const text = formatTime(time)
  return {
    label: `Advance to ${text}`,
    path: ({ id }) => `/v1/test_helpers/test_clocks/${id}/advance`,
    body: () => ({ frozen_time: time }),
    confirmation: () => `The test clock moves to ${text} UTC. Everything that is due until then happens.`,
  }
}

/** The actions by resource. The server allows only their operations: `CHANGES` in `dashboard-operations.ts`. */
export const OBJECT_ACTIONS: Partial<Readonly<Record<ResourceName, readonly ObjectAction[]>>> = {
  invoices: [
    {
      label: 'Pay',
      path: ({ id }) => `/v1/invoices/${id}/pay`,
      confirmation: ({ amount_remaining: total, ...rest }) =>
        `The default card of the subscription or the customer is charged: ${headlineOf({ ...rest, total })}.`,
      isOffered: ({ status }) => OPEN_INVOICE.includes(String(status)),
    },
    {
      label: 'Void',
      path: ({ id }) => `/v1/invoices/${id}/void`,
      confirmation: () => 'The invoice can no longer be paid. Credit that it used returns to the customer.',
      isOffered: ({ status }) => ['draft', ...OPEN_INVOICE].includes(String(status)),
    },
  ],
  payments: [
    {
      label: 'Capture',
      path: ({ id }) => `/v1/payments/${id}/capture`,
      parameter: { name: 'amount', label: 'Amount in minor units (default: all that is reserved)' },
      confirmation: (payment) => `At most the reserved amount is charged: ${headlineOf(payment)}.`,
      isOffered: ({ status }) => status === 'requires_capture',
    },
    {
      label: 'Cancel',
      path: ({ id }) => `/v1/payments/${id}/cancel`,
      confirmation: (payment) => `Nothing is charged, and it cannot be undone: ${headlineOf(payment)}.`,
      isOffered: ({ status }) => status === 'requires_action' || status === 'requires_capture',
    },
    {
      label: 'Refund',
      path: () => '/v1/refunds',
      body: ({ id }) => ({ payment: id }),
      parameter: { name: 'amount', label: 'Amount in minor units (default: all that is left)' },
      confirmation: (payment) =>
        `At most the rest is paid back: ${headlineOf({ ...payment, amount_captured: remainingOf(payment) })}.`,
      isOffered: (payment) => payment['status'] === 'succeeded' && remainingOf(payment) > 0,
    },
    {
      label: 'Dispute',
      path: ({ id }) => `/v1/test_helpers/payments/${id}/dispute`,
      body: () => ({ reason: 'fraudulent' }),
      parameter: { name: 'amount', label: 'Amount in minor units (default: all that is left)' },
      confirmation: () => 'The cardholder disputes the payment as fraudulent. The bank withdraws the amount.',
      isOffered: (payment) => payment['status'] === 'succeeded' && remainingOf(payment) > 0,
    },
  ],
  disputes: [
    {
      label: 'Submit evidence',
      path: ({ id }) => `/v1/disputes/${id}`,
      parameter: {
        ...{ name: 'evidence', label: 'Evidence: winning_evidence wins, any other text loses' },
        toValue: (text) => ({ text }),
      },
      confirmation: () => 'Submitted evidence is final. The bank decides a dispute an hour later.',
      isOffered: needsResponse,
    },
    {
      label: 'Accept',
      path: ({ id }) => `/v1/disputes/${id}/close`,
      confirmation: ({ status }) =>
        status === 'needs_response' ? 'You accept the dispute, which is then lost.' : 'The inquiry ends.',
      isOffered: needsResponse,
    },
  ],
  subscriptions: [
    {
      label: 'Cancel',
      path: ({ id }) => `/v1/subscriptions/${id}/cancel`,
      confirmation: () =>
        'The subscription ends at once, without a refund. Pending invoice items are deleted. It cannot be undone.',
      isOffered: ({ status }) => status !== 'canceled',
    },
    {
      label: 'Resume',
      path: ({ id }) => `/v1/subscriptions/${id}/resume`,
      confirmation: () => 'The first paid period starts now, and the saved card is charged.',
      isOffered: ({ status }) => status === 'paused',
    },
  ],
  webhook_deliveries: [
    {
      label: 'Resend',
      path: ({ event }) => `/v1/events/${event}/resend`,
      body: ({ webhook_endpoint }) => ({ webhook_endpoint }),
      confirmation: ({ url }) => `The event is sent again to ${url}.`,
    },
  ],
  events: [
    {
      label: 'Resend',
      path: ({ id }) => `/v1/events/${id}/resend`,
      confirmation: () => 'The event is sent again to each enabled endpoint that receives its type.',
    },
  ],
  webhook_endpoints: [
    {
      label: 'Disable',
      path: ({ id }) => `/v1/webhook_endpoints/${id}`,
      body: () => ({ status: 'disabled' }),
      confirmation: () => 'Nothing is sent to the endpoint until it is enabled again.',
      isOffered: ({ status }) => status === 'enabled',
    },
    {
      label: 'Enable',
      path: ({ id }) => `/v1/webhook_endpoints/${id}`,
      body: () => ({ status: 'enabled' }),
      confirmation: () => 'Events are sent to the endpoint from now on. Missed ones are not sent again.',
      isOffered: ({ status }) => status === 'disabled',
    },
  ],
}

function remainingOf(payment: ApiObject): number {
  return getRemainingAmount(payment as unknown as PaymentAmounts)
}

function needsResponse({ status }: ApiObject): boolean {
  return String(status).endsWith('needs_response')
}
