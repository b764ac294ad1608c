import { cardSessions } from '../../api/operations/card-sessions.ts'
import { disputes } from '../../api/operations/disputes.ts'
import { events } from '../../api/operations/events.ts'
import { payments } from '../../api/operations/payments.ts'
import { refunds } from '../../api/operations/refunds.ts'
import { subscriptions } from '../../api/operations/subscriptions.ts'
import { ApiError } from '../../client/api-error.ts'
import type { Client } from '../../client/client.ts'
import type { Payment } from '../../domain/payments/payments.ts'
import { EXIT_CODES, getExitCode } from '../output/exit-codes.ts'
import type { ActionType, PlannedAction } from './plan.ts'

/** A customer of a running simulation. */
export interface SimulatedCustomer {
  readonly id: string
  readonly subscription: string
  /** Whether events of the customer were delivered twice. */
  hasDuplicate: boolean
}

export interface ActionContext {
  readonly client: Client
  /** The endpoint that receives the events; null without webhooks. */
  readonly endpoint: string | null
}

/** Performs an action. Resolves with false if the customer has no payment or item for the action. */
type Perform = (
  context: ActionContext,
  customer: SimulatedCustomer,
  action: PlannedAction,
) => Promise<boolean>

const DAY = 86_400
const PAUSES = ['keep_as_draft', 'mark_uncollectible', 'void'] as const
const PAUSE_DAYS = { min: 28, range: 35 }

/** The actions of customers who have signed up. */
export const ACTIONS: Readonly<Record<Exclude<ActionType, 'sign_up'>, Perform>> = {
  async new_card({ client }, { id: customer }) {
    const { id } = await client.call(cardSessions.create, { customer })
    await client.call(cardSessions.complete, { id, test_card: 'visa' })
    return true
  },
  upgrade: (context, customer, { chance }) => changePrice(context, customer, { factor: 2, chance }),
  downgrade: (context, customer, { chance }) => changePrice(context, customer, { factor: 0.5, chance }),
  async pause({ client }, { subscription: id }, { at, chance }) {
    const behavior = PAUSES[Math.floor(chance * PAUSES.length)] ?? 'void'
    const resumes_at = at + (PAUSE_DAYS.min + Math.floor(chance * PAUSE_DAYS.range)) * DAY
    await client.call(subscriptions.update, { id, pause_collection: { behavior, resumes_at } })
    return true
  },
  partial_refund: ({ client }, customer, { chance }) =>
    withPayment(client, customer, async ({ id, amount_captured }) => {
      const amount = Math.max(1, Math.floor(amount_captured * (0.1 + 0.7 * chance)))
      await client.call(refunds.create, { payment: id, amount })
    }),
  full_refund: ({ client }, customer) =>
    withPayment(client, customer, async ({ id }) => {
      await client.call(refunds.create, { payment: id })
    }),
  dispute: ({ client }, customer, { chance }) =>
    withPayment(client, customer, async ({ id: payment }) => {
      const { id } = await client.call(payments.dispute, { id: payment, reason: 'fraudulent' })
      const text = chance < 0.5 ? 'winning_evidence' : 'losing_evidence'
      await client.call(disputes.update, { id, evidence: { text }, submit: true })
    }),
  async duplicate_delivery({ client, endpoint }, customer) {
    if (endpoint === null) return true
    return withPayment(client, customer, async ({ id, invoice }) => {
      for (const object_id of [id, invoice ?? id]) {
        const { data } = await client.call(events.list, {
          object_id,
          types: ['payment.succeeded', 'invoice.paid'],
        })
        for (const event of data)
          await client.call(events.resend, { id: event.id, webhook_endpoint: endpoint })
      }
      customer.hasDuplicate = true
    })
  },
  async cancel_at_period_end({ client }, { subscription: id }) {
    await client.call(subscriptions.update, { id, cancel_at_period_end: true })
    return true
  },
  async cancel_now({ client }, { subscription: id }, { chance }) {
    const isCredited = chance < 0.5
    await client.call(subscriptions.cancel, { id, prorate: isCredited, invoice_now: isCredited })
    return true
  },
}

/** Returns whether an error means that the state of an object does not allow an action, such as a canceled subscription. */
export function isStateConflictError(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  const { type, code } = error.error
  // The server disables an endpoint whose deliveries fail, and then resends no event to the endpoint.
  if (code === 'webhook_endpoint_disabled') return true
  return getExitCode({ type, code, status: error.status }) === EXIT_CODES.rejected
}

/** Changes the price of the first item, and credits and charges the rest of the period now or with the next invoice. */
async function changePrice(
  { client }: ActionContext,
  { subscription: id }: SimulatedCustomer,
  { factor, chance }: { readonly factor: number; readonly chance: number },
): Promise<boolean> {
  const [item] = (await client.call(subscriptions.retrieve, { id })).items
  if (item === undefined) return false
  const price_data = { amount: Math.round(item.price_data.amount * factor) }
  const proration_behavior = chance < 0.5 ? 'always_invoice' : 'create_prorations'
  await client.call(subscriptions.update, { id, items: [{ id: item.id, price_data }], proration_behavior })
  return true
}

async function withPayment(
  client: Client,
  { id: customer }: SimulatedCustomer,
  use: (payment: Payment) => Promise<void>,
): Promise<boolean> {
  const { data } = await client.call(payments.list, { customer, status: 'succeeded', limit: 1 })
  const [payment] = data
  if (payment === undefined) return false
  await use(payment)
  return true
}
