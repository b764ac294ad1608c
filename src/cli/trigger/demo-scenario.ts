import { webhookDeliveries } from '../../api/operations/webhook-deliveries.ts'
import type { Client } from '../../client/client.ts'
import { formatAmount } from '../../domain/core/currencies.ts'
import type { JsonObject } from '../../domain/core/json-object.ts'
import { escapeUnsafeCharacters } from '../../domain/text/sanitize.ts'
import { getStdoutWidth } from '../output/output.ts'
import type { Style } from '../output/style.ts'
import { wrapHanging } from '../output/text-layout.ts'
import type { DemoHandler } from '../webhook-tools/demo-handler.ts'
import { runRecipeStep } from './trigger-run.ts'
import {
  CUSTOMER_STEP,
  createCheckoutStep,
  createCompletionStep,
  createPaymentSessionStep,
  type RecipeStep,
} from './trigger-steps.ts'

/** The dependencies of the demo; `print` prints a line. */
export interface DemoContext {
  readonly client: Client
  readonly handler: DemoHandler
  readonly style: Style
  readonly print: (line: string) => void
}

/** A request of the demo, its title, and the text that describes its response. */
type DemoStep = readonly [step: RecipeStep, title: string, describe: (response: JsonObject) => string]

const STEPS: readonly DemoStep[] = [
  [CUSTOMER_STEP, 'A customer', ({ email, id }) => `${email} is ${id}`],
  [
    createCheckoutStep(),
    'A checkout',
    ({ amount_total }) => `Monthly rent, ${formatAmount(Number(amount_total), 'eur')} with tax`,
  ],
  [
    {
      ...createCompletionStep('declined', 'checkout_session', { test_card: 'insufficient_funds' }),
      expect: 402,
    },
    'A declined card',
    ({ error }) => `${escapeUnsafeCharacters(Object(error).message)} (status 402)`,
  ],
  [
    createCompletionStep('completed', 'checkout_session', { test_card: 'visa' }),
    'A good card',
    ({ subscription, invoice }) => `subscription ${subscription}, invoice ${invoice} paid`,
  ],
  [createPaymentSessionStep(), 'A payment', ({ amount }) => `${formatAmount(Number(amount), 'eur')}, once`],
  [
    createCompletionStep('paid', 'payment_session', { test_card: 'sca_always' }),
    '3-D Secure',
    ({ payment }) => `approved by the customer, payment ${payment} succeeded`,
  ],
]

/** Runs the demo, from a new customer to the last webhook. Rejects when a step has an unexpected result. */
export async function runDemoScenario(context: DemoContext, apiUrl: string): Promise<void> {
  const { client, handler, style, print } = context
  printStep(context, 'A server', `${apiUrl}, with a webhook handler at ${handler.url}`)
  const responses = new Map<string, JsonObject>()
  for (const [step, title, describe] of STEPS) {
    const response = (await runRecipeStep(client, step, responses)) ?? {}
    responses.set(step.name, response)
    printStep(context, title, describe(response))
    const { status, url } = response
    if (status !== 'open') continue
    const lines = wrapHanging(INDENT, escapeUnsafeCharacters(`hosted page: ${url}`), getStdoutWidth())
    for (const line of lines) print(style.dim(line))
  }
  await showDeliveries(context)
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
  const [first = '', ...rest] = wrapHanging(title.padEnd(INDENT.length), text, getStdoutWidth())
  for (const line of [style.bold(title) + first.slice(title.length), ...rest]) print(line)
}
