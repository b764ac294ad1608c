import { checkoutSessions } from '../../api/operations/checkout-sessions.ts'
import { customers } from '../../api/operations/customers.ts'
import { paymentSessions } from '../../api/operations/payment-sessions.ts'
import { webhookDeliveries } from '../../api/operations/webhook-deliveries.ts'
import { ApiError } from '../../client/api-error.ts'
import type { Client } from '../../client/client.ts'
import { formatAmount } from '../../domain/core/currencies.ts'
import { sanitizeText } from '../../domain/text/sanitize.ts'
import type { Style } from '../output/style.ts'
import type { DemoHandler } from './demo-handler.ts'

/** The dependencies of the demo; `print` prints a line. */
export interface DemoContext {
  readonly client: Client
  readonly handler: DemoHandler
  readonly style: Style
  readonly print: (line: string) => void
}

/** Runs the demo, from a new customer to the last webhook. Rejects when a step has an unexpected result. */
export async function runDemoScenario(context: DemoContext): Promise<void> {
  const customer = await context.client.call(customers.create, {
    email: 'ada@example.com',
    name: 'Ada Lovelace',
  })
  printStep(context, 'A customer', `ada@example.com is ${customer.id}`)
  await sellSubscription(context, customer.id)
  await takePayment(context, customer.id)
  await showDeliveries(context)
}

async function sellSubscription(context: DemoContext, customer: string): Promise<void> {
  const { client } = context
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
  printStep(context, 'A checkout', `Monthly rent, ${formatAmount(session.amount_total, 'eur')} with tax`)
  printDetail(context, `hosted page: ${session.url}`)
  const declined = await client
    .call(checkoutSessions.complete, { id: session.id, test_card: 'insufficient_funds' })
    .catch((error: unknown) => error)
  if (!(declined instanceof ApiError)) throw new Error('a card without funds was not declined')
  const { error, status } = declined
  printStep(context, 'A declined card', `${sanitizeText(error.message)} (status ${status})`)
  const complete = await client.call(checkoutSessions.complete, { id: session.id, test_card: 'visa' })
  if (complete.object !== 'checkout_session') throw new Error('the response is not a checkout session')
  const { subscription, invoice } = complete
  printStep(context, 'A good card', `subscription ${subscription}, invoice ${invoice} paid`)
}

async function takePayment(context: DemoContext, customer: string): Promise<void> {
  const { client } = context
  const session = await client.call(paymentSessions.create, {
    amount: 1000,
    currency: 'eur',
    customer,
    payment_method_types: ['card'],
    return_url: 'https://example.com/return',
  })
  printStep(context, 'A payment', `${formatAmount(session.amount, 'eur')}, once`)
  printDetail(context, `hosted page: ${session.url}`)
  const complete = await client.call(paymentSessions.complete, { id: session.id, test_card: 'sca_always' })
  printStep(context, '3-D Secure', `approved by the customer, payment ${complete.payment} succeeded`)
}

async function showDeliveries(context: DemoContext): Promise<void> {
  const events = await context.handler.waitFor('payment_session.completed')
  const invalid = events.filter(({ isSignatureValid }) => !isSignatureValid)
  if (invalid.length > 0) throw new Error(`${invalid.length} deliveries had an invalid signature`)
  printStep(context, 'Webhooks', `${events.length} events received by the handler, all signatures valid:`)
  for (const { type } of events) context.print(`${INDENT}${context.style.dim('✓')} ${type}`)
  const { data } = await context.client.call(webhookDeliveries.list, { status: 'failed' })
  if (data.length > 0) throw new Error(`${data.length} deliveries failed`)
}

const INDENT = ' '.repeat(18)

function printStep({ style, print }: DemoContext, title: string, text: string): void {
  print(`${style.bold(title)}${' '.repeat(INDENT.length - title.length)}${text}`)
}

function printDetail({ style, print }: DemoContext, text: string): void {
  print(`${INDENT}${style.dim(sanitizeText(text))}`)
}
