import type { ResourceName } from '../../../api/resources/catalog.ts'
import { isJsonObject, type JsonObject } from '../../../domain/core/json-object.ts'
import { getRefundableAmount, type PaymentAmounts } from '../../../domain/payments/refundable-amount.ts'
import { formatAmountAtPath } from '../../../presentation/field-values.ts'
import { hasPendingDebit } from '../../../presentation/pending-debit.ts'
import type { QueryParams } from '../../data/api-client.ts'
import type { ApiObject } from '../../data/history-scope.ts'
import { formatDateTime } from '../../format/format-time.ts'
import { formatObjectHeadline } from '../../format/object-headline.ts'

/** The effect of an action, which the server computes in advance. */
export type ActionPreviewRequest = { readonly title: string } & (
  | { readonly kind: 'invoice'; readonly subscription: string; readonly change: object }
  | { readonly kind: 'projection'; readonly query: QueryParams }
)

/** A change for which the screen of an object has a button: a request to an API operation. */
export interface ObjectAction {
  readonly label: string
  readonly path: (object: ApiObject) => string
  /** The number or required text that the user can enter, with its initial value (default: no parameter). */
  readonly parameter?: {
    readonly label: string
    readonly initial?: (object: ApiObject) => unknown
    readonly isText?: true
  }
  /** Returns the body of the request (default: none). `entered` contains only digits unless the parameter is a text. */
  readonly body?: (object: ApiObject, entered: string) => object
  /** Returns the text that describes the effect of the action. */
  readonly confirmation: (object: ApiObject, entered: string) => string
  /** Returns the invoice or projection that the server computes for the confirmation (default: none). */
  readonly effect?: (object: ApiObject, entered: string) => ActionPreviewRequest
  /** Selects the events of the action (default: the events that contain its request id). */
  readonly events?: (object: ApiObject) => QueryParams
  /** Returns whether the state of the object allows the action (default: always). */
  readonly isOffered?: (object: ApiObject) => boolean
}

const OPEN_INVOICE = ['open', 'uncollectible']
const DAY = 86_400

/** Returns the action that advances a test clock to the time of an event, in Unix seconds. */
export function createAdvanceAction(time: number): ObjectAction {
  const text = formatDateTime(time)
  return {
    label: `Advance to ${text}`,
    path: ({ id }) => `/v1/test_helpers/test_clocks/${id}/advance`,
    body: () => ({ frozen_time: time }),
    confirmation: () => `The test clock moves to ${text} UTC.`,
    effect: ({ id }) => ({
      ...{ kind: 'projection', title: 'Preview' },
      query: { test_clock: id, until: time },
    }),
    events: ({ id, frozen_time }) => ({ test_clock: id, 'created[gt]': Number(frozen_time) }),
  }
}

/** Returns a preview of the projected events of a subscription, which a change may prevent. */
function withoutChange(subscription: unknown): ActionPreviewRequest {
  const query = { subscription: String(subscription) }
  return { kind: 'projection', title: 'Upcoming events without this change', query }
}

/** Returns the request of an update of a subscription, whose confirmation shows the next invoice after the update. */
function previewed(change: (object: ApiObject, entered: string) => object) {
  return {
    path: subscriptionPath,
    body: change,
    effect: (object: ApiObject, entered: string): ActionPreviewRequest => ({
      ...{ kind: 'invoice', title: 'Next invoice after this change' },
      ...{ subscription: object.id, change: change(object, entered) },
    }),
  }
}

function subscriptionPath({ id }: ApiObject): string {
  return `/v1/subscriptions/${id}`
}

function firstItem({ items }: ApiObject): JsonObject {
  const [item] = Array.isArray(items) ? items : []
  return isJsonObject(item) ? item : {}
}

function isLive({ status }: ApiObject): boolean {
  return status !== 'canceled'
}

/** The actions by resource. The server allows only the operations in `CHANGES` of `dashboard-operations.ts`. */
export const OBJECT_ACTIONS: Partial<Readonly<Record<ResourceName, readonly ObjectAction[]>>> = {
  invoices: [
    {
      label: 'Pay',
      path: ({ id }) => `/v1/invoices/${id}/pay`,
      confirmation: ({ amount_remaining: total, ...rest }) =>
        `The default card of the subscription or the customer is charged: ${formatObjectHeadline({ ...rest, total })}.`,
      effect: ({ subscription }) => withoutChange(subscription),
      isOffered: (invoice) => OPEN_INVOICE.includes(String(invoice.status)) && !hasPendingDebit(invoice),
    },
    {
      label: 'Void',
      path: ({ id }) => `/v1/invoices/${id}/void`,
      confirmation: () => 'The invoice can no longer be paid. Credit that it used returns to the customer.',
      effect: ({ subscription }) => withoutChange(subscription),
      isOffered: (invoice) =>
        ['draft', ...OPEN_INVOICE].includes(String(invoice.status)) && !hasPendingDebit(invoice),
    },
  ],
  payments: [
    {
      label: 'Capture',
      path: ({ id }) => `/v1/payments/${id}/capture`,
      body: (_, entered) => enteredAmount(entered),
      parameter: { label: 'Amount in minor units (default: all that is reserved)' },
      confirmation: (payment) => `At most the reserved amount is charged: ${formatObjectHeadline(payment)}.`,
      isOffered: ({ status }) => status === 'requires_capture',
    },
    {
      label: 'Cancel',
      path: ({ id }) => `/v1/payments/${id}/cancel`,
      confirmation: (payment) =>
        `Nothing is charged, and the cancellation cannot be undone: ${formatObjectHeadline(payment)}.`,
      isOffered: ({ status }) => status === 'requires_action' || status === 'requires_capture',
    },
    {
      label: 'Refund',
      path: () => '/v1/refunds',
      body: ({ id }, entered) => ({ payment: id, ...enteredAmount(entered) }),
      parameter: { label: 'Amount in minor units (default: all that is left)' },
      confirmation: (payment, entered) => {
        const left = remainingOf(payment)
        const amount = entered === '' ? left : Number(entered)
        const amountOf = (value: number) => formatAmountAtPath({ ...payment, amount: value }, 'amount')
        if (amount > left) return `Only ${amountOf(left)} can be paid back.`
        return `Refunds ${formatObjectHeadline({ ...payment, amount_captured: amount })}. The merchant keeps ${amountOf(left - amount)}.`
      },
      isOffered: (payment) => payment['status'] === 'succeeded' && remainingOf(payment) > 0,
    },
    {
      label: 'Dispute',
      path: ({ id }) => `/v1/test_helpers/payments/${id}/dispute`,
      body: (_, entered) => ({ reason: 'fraudulent', ...enteredAmount(entered) }),
      parameter: { label: 'Amount in minor units (default: all that is left)' },
      confirmation: () => 'The cardholder disputes the payment as fraudulent. The bank withdraws the amount.',
      isOffered: (payment) => payment['status'] === 'succeeded' && remainingOf(payment) > 0,
    },
  ],
  disputes: [
    {
      label: 'Submit evidence',
      path: ({ id }) => `/v1/disputes/${id}`,
      body: (_, text) => ({ evidence: { text } }),
      parameter: { label: 'Evidence: winning_evidence wins, any other text loses', isText: true },
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
      path: (object) => `${subscriptionPath(object)}/cancel`,
      confirmation: () =>
        'The subscription ends immediately, without a refund. Pending invoice items are deleted. The cancellation cannot be undone.',
      effect: ({ id }) => withoutChange(id),
      isOffered: isLive,
    },
    {
      label: 'Cancel at period end',
      path: subscriptionPath,
      body: () => ({ cancel_at_period_end: true }),
      confirmation: ({ current_period_end: end }) =>
        `The subscription ends on ${formatDateTime(Number(end))}. A last invoice bills pending invoice items.`,
      effect: ({ id }) => withoutChange(id),
      isOffered: ({ status, cancel_at_period_end: isEnding }) =>
        /^(?:trialing|active|past_due|unpaid)$/.test(String(status)) && isEnding === false,
    },
    {
      label: 'Keep',
      path: subscriptionPath,
      body: () => ({ cancel_at_period_end: false }),
      confirmation: () => 'The subscription renews at the end of its period, and does not end.',
      effect: ({ id }) => withoutChange(id),
      isOffered: ({ status, cancel_at_period_end: isEnding }) => status !== 'canceled' && isEnding === true,
    },
    {
      label: 'Change quantity',
      ...previewed((object, entered) => {
        const { id, quantity } = firstItem(object)
        return { items: [{ id, quantity: entered === '' ? quantity : Number(entered) }] }
      }),
      parameter: { label: 'Quantity', initial: (object) => firstItem(object)['quantity'] },
      confirmation: (object) =>
        `Changes the quantity of ${firstItem(object)['description']}. The remaining part of the period is prorated.`,
      isOffered: ({ status, items }) =>
        /^(?:trialing|active|past_due)$/.test(String(status)) && Array.isArray(items) && items.length === 1,
    },
    {
      label: 'Extend trial',
      ...previewed(({ trial_end }, entered) => ({ trial_end: Number(trial_end) + Number(entered) * DAY })),
      parameter: { label: 'Days', initial: () => 7 },
      confirmation: ({ trial_end }, entered) =>
        `The trial ends on ${formatDateTime(Number(trial_end) + Number(entered) * DAY)}, and then the first period is billed.`,
      isOffered: ({ status }) => status === 'trialing',
    },
    {
      label: 'Resume',
      path: (object) => `${subscriptionPath(object)}/resume`,
      confirmation: (object) =>
        `The first paid period starts now, and the saved card is charged: ${formatObjectHeadline(object)}.`,
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
    setStatus('Disable', 'enabled', 'disabled', 'Nothing is sent to the endpoint until it is enabled again.'),
    setStatus(
      'Enable',
      'disabled',
      'enabled',
      'Events are sent to the endpoint from now on. Missed events are not sent again.',
    ),
  ],
}

function enteredAmount(entered: string): { readonly amount?: number } {
  return entered === '' ? {} : { amount: Number(entered) }
}

function remainingOf(payment: ApiObject): number {
  return getRefundableAmount(payment as unknown as PaymentAmounts)
}

function needsResponse({ status }: ApiObject): boolean {
  return String(status).endsWith('needs_response')
}

/** Returns the action that changes the status of a webhook endpoint. */
function setStatus(label: string, from: string, to: string, text: string): ObjectAction {
  return {
    label,
    path: ({ id }) => `/v1/webhook_endpoints/${id}`,
    body: () => ({ status: to }),
    confirmation: () => text,
    isOffered: ({ status }) => status === from,
  }
}
