import {
  cardSessions,
  checkoutSessions,
  customers,
  type Invoice,
  invoices,
  type Payment,
  paymentSessions,
  payments,
  refunds,
  type Subscription,
  subscriptions,
  testClocks,
  webhookEndpoints,
} from '../../api/index.ts'
import { ApiError } from '../../client/api-error.ts'
import { waitUnlessAborted } from '../../client/timing.ts'
import { UsageError } from '../errors/usage-error.ts'
import type { ScenarioRun } from '../explore/run/run-context.ts'
import { toSingleLine } from '../output/format-values.ts'
import { listObjects } from '../request/paginate.ts'
import { type PlaceholderValues, replacePlaceholders, requestAppState } from './app-state.ts'
import type { GradeConfig } from './grade-config.ts'

/** The kinds of sales that `paycli grade` tests. */
export type SaleType = 'payments' | 'subscriptions'

/** A customer of the scenario. */
export interface ScenarioCustomer {
  /** The role of the customer, such as `exhausts`. */
  readonly role: string
  /** The name of the customer in the app: the role, with letters that make it unique. */
  readonly user: string
  readonly email: string
  readonly id: string
  readonly sale: SaleType
}

/** Options of a payment (default: a successful payment in EUR). */
export interface PaymentTerms {
  readonly currency?: string
  readonly card?: string
  /** `manual` only reserves the amount. */
  readonly capture_method?: 'manual'
}

/** The subscription that a customer buys. */
export interface SubscriptionSaleTerms {
  readonly amount: number
  readonly card: string
  readonly quantity?: number
  readonly taxPercent?: number
  readonly trialDays?: number
  readonly description?: string
}

const SECONDS_PER_DAY = 86_400
const MAX_OBJECTS = 10_000
const MAX_SIGNUPS = 10
const SIGNUP_PAUSE_MS = 200

export type CustomerScenario = Awaited<ReturnType<typeof openCustomerScenario>>

/** Starts a scenario in the sandbox of a run: purchases of customers on a test clock. */
export async function openCustomerScenario(
  run: ScenarioRun,
  { signup, metadata = { user: '{user}' } }: GradeConfig,
) {
  const { client } = run
  const startedAt = await client.now()
  const shared = await client.call(testClocks.create, { frozen_time: startedAt })
  const clocks = [shared.id]
  const unique = shared.id.slice(-6).toLowerCase()
  const added: ScenarioCustomer[] = []
  let now = startedAt

  const metadataOf = (placeholders: Omit<PlaceholderValues, 'now'>) =>
    Object.fromEntries(
      Object.entries(metadata).map(([key, text]) => [
        key,
        replacePlaceholders(text, { ...placeholders, now }),
      ]),
    )

  async function createByApp(user: string, email: string): Promise<string> {
    const id = await signUp(run, signup ?? '', { id: '', user, email, now })
    // The app creates customers without a test clock, so add them to a new clock.
    clocks.push((await client.call(testClocks.create, { frozen_time: startedAt, customer: id })).id)
    return id
  }

  return {
    run,
    customers: added as readonly ScenarioCustomer[],
    startedAt,
    now: () => now,
    async addCustomer(role: string, sale: SaleType): Promise<ScenarioCustomer> {
      const [user, email] = [`${role}-${unique}`, `${role}-${unique}@example.com`]
      const params = { email, metadata: metadataOf({ id: '', user, email }), test_clock: shared.id }
      const id =
        signup === undefined
          ? (await client.call(customers.create, params)).id
          : await createByApp(user, email)
      const customer = { role, user, email, id, sale }
      added.push(customer)
      return customer
    },
    /** Creates a payment. Resolves with the id of the payment; null if the card is declined. */
    async pay(
      customer: ScenarioCustomer,
      amount: number,
      { card = 'visa', ...rest }: PaymentTerms = {},
    ): Promise<string | null> {
      const params = { customer: customer.id, amount, currency: 'eur', metadata: metadataOf(customer) }
      const session = await client.call(paymentSessions.create, { ...params, description: 'Order', ...rest })
      const complete = client.call(paymentSessions.complete, { id: session.id, test_card: card })
      return (await orDeclined(complete))?.payment ?? null
    },
    /** Creates a monthly subscription. Resolves with its id; null if the card is declined. */
    async subscribe(customer: ScenarioCustomer, plan: SubscriptionSaleTerms): Promise<string | null> {
      const params = toCheckoutParams(customer, plan, metadataOf(customer))
      const session = await client.call(checkoutSessions.create, params)
      const complete = client.call(checkoutSessions.complete, { id: session.id, test_card: plan.card })
      return (await orDeclined(complete))?.subscription ?? null
    },
    refund: (payment: string | null, amount: number) =>
      client.call(refunds.create, { payment: payment ?? '', amount }),
    /** Lets a customer enter a new card, which pays open invoices. */
    async replaceCard({ id }: ScenarioCustomer): Promise<void> {
      const session = await client.call(cardSessions.create, { customer: id })
      await client.call(cardSessions.complete, { id: session.id, test_card: 'visa' })
    },
    /** Advances the test clocks to an hour after a time in Unix seconds. */
    async advanceTo(time: number): Promise<void> {
      now = time + 3600
      for (const id of clocks) await client.call(testClocks.advance, { id, frozen_time: now })
    },
    daysAfterStart: (days: number) => startedAt + days * SECONDS_PER_DAY,
  }
}

/** Deletes the webhook endpoint of the sandbox of a run, so that only `grade` sends deliveries. */
export async function deleteRunEndpoint({ client, endpoint }: ScenarioRun): Promise<void> {
  if (endpoint !== null) await client.call(webhookEndpoints.delete, { id: endpoint.id })
}

/** Requests a new customer from the app, and resolves with the id of the customer. */
async function signUp(run: ScenarioRun, template: string, placeholders: PlaceholderValues): Promise<string> {
  let text = ''
  // Repeat a failed sign-up: the app may still be starting.
  for (let tries = 0; tries < MAX_SIGNUPS; tries += 1) {
    if (tries > 0) await waitUnlessAborted(SIGNUP_PAUSE_MS, run.signal)
    text = (await requestAppState(run, template, placeholders, true)).text
    const [id] = /\bcus_\w+/.exec(text) ?? []
    if (id !== undefined) return id
  }
  throw new UsageError(
    'config_invalid',
    `--signup printed no customer: ${toSingleLine(text).slice(0, 200)}`,
    {
      param: 'signup',
      hint: 'Let the app create the customer with POST /v1/customers, and print its id, such as cus_….',
    },
  )
}

function toCheckoutParams(
  { id }: ScenarioCustomer,
  { amount, quantity = 1, taxPercent = 0, trialDays, description = 'Plan' }: SubscriptionSaleTerms,
  metadata: Record<string, string>,
) {
  const item = { description, quantity, price_data: { amount, tax_percent: taxPercent } }
  const trial = trialDays === undefined ? {} : { trial_days: trialDays }
  const subscription_data = { interval: 'month', items: [item], metadata, ...trial } as const
  const payment_method_types = ['card', 'sepa_debit'] as const
  return { customer: id, currency: 'eur', payment_method_types, metadata, subscription_data }
}

/** Resolves with the result of a completion, or null if the card was declined. */
async function orDeclined<T>(completion: Promise<T>): Promise<T | null> {
  return completion.catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 402) return null
    throw error
  })
}

/** Reads the expected state of the customers of a sandbox, from its objects. */
export async function readExpectedState({ client }: Pick<ScenarioRun, 'client'>) {
  const [paid, subscribed, billed] = await Promise.all([
    listObjects(client, payments.list, {}, MAX_OBJECTS),
    listObjects(client, subscriptions.list, {}, MAX_OBJECTS),
    listObjects(client, invoices.list, {}, MAX_OBJECTS),
  ])
  const bySubscription = Map.groupBy(billed.found, ({ subscription }) => subscription)
  const byCustomer = (id: string) => paid.found.filter(({ customer }) => customer === id)
  return {
    /** Returns the payments of a customer minus refunds, in minor units. */
    paid: (id: string) => byCustomer(id).reduce((sum, one) => sum + netOf(one), 0),
    /** Returns whether a customer must have access; null if the app may decide. */
    access(id: string): boolean | null {
      const own = subscribed.found.filter(({ customer }) => customer === id)
      // A customer who paid without a subscription may have access.
      if (own.length === 0) return byCustomer(id).some(({ status }) => status === 'succeeded') ? null : false
      const each = own.map((one) => givesAccess(one, bySubscription.get(one.id) ?? []))
      return each.includes(true) ? true : each.includes(null) ? null : false
    },
  }
}

function netOf({ status, amount_captured, amount_refunded }: Payment): number {
  return status === 'succeeded' ? amount_captured - amount_refunded : 0
}

/** Returns whether a subscription with the invoices `own`, newest first, gives access; null if the app may decide. */
function givesAccess({ status }: Subscription, own: readonly Invoice[]): boolean | null {
  const [latest, ...earlier] = own.filter((one) => one.status !== 'draft' && one.status !== 'void')
  const isLive = status === 'trialing' || status === 'active' || status === 'past_due'
  if (!isLive || ![latest, ...earlier].some((one) => one?.status === 'paid')) return false
  // While a renewal is open, some businesses keep the access, and others take it away.
  return status !== 'past_due' && latest?.status === 'paid' ? true : null
}
