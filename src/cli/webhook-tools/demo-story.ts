import { checkoutSessions } from '../../api/operations/checkout-sessions.ts'
import { customers } from '../../api/operations/customers.ts'
import { paymentSessions } from '../../api/operations/payment-sessions.ts'
import { webhookDeliveries } from '../../api/operations/webhook-deliveries.ts'
import { ApiError } from '../../client/api-error.ts'
import type { Client } from '../../client/client.ts'
import { formatAmount } from '../../domain/currencies.ts'
import { sanitizeText } from '../../domain/sanitize.ts'
import type { Style } from '../output/style.ts'
import type { Receiver } from './receiver.ts'

/** Who takes part in the story, and where it is told. */
export interface Stage {
  readonly client: Client
  readonly receiver: Receiver
  readonly style: Style
  readonly tell: (line: string) => void
}

/** Plays the main job from a customer to the last webhook; rejects when any of it is not as it should be. */
export async function playStory(stage: Stage): Promise<void> {
  const { client, style, tell } = stage
  const customer = await client.call(customers.create, { email: 'ada@example.com', name: 'Ada Lovelace' })
  tell(`${style.bold('A customer')}        ada@example.com is ${customer.id}`)
  await sellSubscription(stage, customer.id)
  await takePayment(stage, customer.id)
  await showDeliveries(stage)
}

async function sellSubscription({ client, style, tell }: Stage, customer: string): Promise<void> {
  const session = await client.call(checkoutSessions.create, {
    customer,
    currency: 'eur',
    payment_method_types: ['card'],
    subscription_data: {
      interval: 'month',
      items: [
        { description: 'Monthly rent', type: 'rent', price_data: { amount: 100_000, tax_percent: 20 } },
      ],
    },
  })
  tell(
    `${style.bold('A checkout')}        Monthly rent, ${formatAmount(session.amount_total, 'eur')} with tax`,
  )
  tell(`                  ${style.dim(`the buyer's page: ${sanitizeText(session.url)}`)}`)
  const refused = await client
    .call(checkoutSessions.complete, { id: session.id, test_card: 'insufficient_funds' })
    .catch((error: unknown) => error)
  if (!(refused instanceof ApiError)) throw new Error('a card without funds was not declined')
  tell(`${style.bold('A declined card')}   ${sanitizeText(refused.error.message)} (status ${refused.status})`)
  const done = await client.call(checkoutSessions.complete, { id: session.id, test_card: 'visa' })
  if (done.object !== 'checkout_session') throw new Error('a checkout session completed as something else')
  tell(`${style.bold('A good card')}       subscription ${done.subscription}, invoice ${done.invoice} paid`)
}

async function takePayment({ client, style, tell }: Stage, customer: string): Promise<void> {
  const session = await client.call(paymentSessions.create, {
    amount: 1000,
    currency: 'eur',
    customer,
    payment_method_types: ['card'],
    return_url: 'https://example.com/return',
  })
  tell(`${style.bold('A payment')}         ${formatAmount(session.amount, 'eur')}, once`)
  tell(`                  ${style.dim(`the buyer's page: ${sanitizeText(session.url)}`)}`)
  const done = await client.call(paymentSessions.complete, { id: session.id, test_card: 'sca_always' })
  tell(`${style.bold('3-D Secure')}        approved by the buyer: payment ${done.payment} succeeded`)
}

async function showDeliveries({ client, receiver, style, tell }: Stage): Promise<void> {
  const events = await receiver.until('payment_session.completed')
  const forged = events.filter(({ isGenuine }) => !isGenuine)
  if (forged.length > 0) throw new Error(`${forged.length} deliveries had a wrong signature`)
  tell(
    `${style.bold('Webhooks')}          ${events.length} events reached our own handler, every signature verified:`,
  )
  for (const { type } of events) tell(`                  ${style.dim('✓')} ${type}`)
  const { data } = await client.call(webhookDeliveries.list, { status: 'failed' })
  if (data.length > 0) throw new Error(`${data.length} deliveries failed`)
}
