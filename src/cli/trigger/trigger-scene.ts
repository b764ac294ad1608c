import type { ParamsOf } from '../../api/core/operation.ts'
import { checkoutSessions } from '../../api/operations/checkout-sessions.ts'
import { customers } from '../../api/operations/customers.ts'
import { invoices } from '../../api/operations/invoices.ts'
import { paymentSessions } from '../../api/operations/payment-sessions.ts'
import { subscriptions } from '../../api/operations/subscriptions.ts'
import { testClocks } from '../../api/operations/test-clocks.ts'
import { ApiError } from '../../client/api-error.ts'
import type { Client } from '../../client/client.ts'
import type { CheckoutSession } from '../../domain/checkout-sessions.ts'
import type { Customer } from '../../domain/customers.ts'
import type { Invoice } from '../../domain/invoices.ts'
import type { PaymentSession } from '../../domain/payment-sessions.ts'
import type { Subscription } from '../../domain/subscriptions.ts'
import type { TestClock } from '../../domain/test-clocks.ts'
import { UsageError } from '../errors/usage-error.ts'
import type { Edits } from './trigger-overrides.ts'

type SubscriptionData = ParamsOf<typeof checkoutSessions.create>['subscription_data']
type TestCard = ParamsOf<typeof checkoutSessions.complete>['test_card']

/** How a subscription is sold. */
export interface Sale {
  readonly card?: TestCard
  /** Whether it must live on a test clock, so that its time can be moved. */
  readonly isOnClock?: boolean
  readonly data?: Partial<SubscriptionData>
}

const MONTHLY: SubscriptionData = {
  interval: 'month',
  interval_count: 1,
  items: [{ description: 'Monthly rent', type: 'rent', price_data: { amount: 100_000, tax_percent: 20 } }],
}

/** What a trigger acts with: it makes what it needs, but for the one object that was given. */
export class Scene {
  readonly client: Client
  /** The objects it made or was given, and all that is told of them belongs to it. */
  readonly subjects = new Set<string>()
  readonly #given: string | undefined
  readonly #edits: Edits

  constructor(
    client: Client,
    { given, edits }: { readonly given: string | undefined; readonly edits: Edits },
  ) {
    this.client = client
    this.#given = given
    this.#edits = edits
    if (given !== undefined) this.subjects.add(given)
  }

  /** The given id, when it is one of these. */
  given(prefix: string): string | null {
    return this.#given !== undefined && prefixOf(this.#given) === prefix ? this.#given : null
  }

  async clock(): Promise<TestClock> {
    const id = this.given('clock_')
    if (id !== null) return this.client.call(testClocks.retrieve, { id })
    const params = this.#edits.apply('test_clock', { frozen_time: await this.client.now(), name: 'trigger' })
    return this.#noted(await this.client.call(testClocks.create, params))
  }

  async customer({ isOnClock = false }: Sale = {}): Promise<Customer> {
    const id = this.given('cus_')
    if (id !== null) return onClock(await this.#liveCustomer(id), isOnClock)
    const clock = isOnClock || this.given('clock_') !== null ? { test_clock: (await this.clock()).id } : {}
    const params = { email: 'ada@example.com', name: 'Ada Lovelace', ...clock }
    return this.#noted(await this.client.call(customers.create, this.#edits.apply('customer', params)))
  }

  async #liveCustomer(id: string): Promise<Customer> {
    const customer = await this.client.call(customers.retrieve, { id })
    if ('deleted' in customer) throw unusable(id, 'was deleted', 'another: paycli customers list')
    return customer
  }

  async checkout({ isOnClock = false, data = {} }: Sale = {}): Promise<CheckoutSession> {
    const id = this.given('cks_')
    if (id !== null) return onClock(await this.client.call(checkoutSessions.retrieve, { id }), isOnClock)
    const { id: customer } = await this.customer({ isOnClock })
    return this.checkoutOf(customer, data)
  }

  async checkoutOf(customer: string, data: Partial<SubscriptionData>): Promise<CheckoutSession> {
    const params: ParamsOf<typeof checkoutSessions.create> = {
      customer,
      currency: 'eur',
      payment_method_types: ['card'],
      subscription_data: { ...MONTHLY, ...data },
    }
    const edited = this.#edits.apply('checkout_session', params)
    return this.#noted(await this.client.call(checkoutSessions.create, edited))
  }

  /** Completes a checkout session; resolves with the subscription it set up. */
  async completed(session: CheckoutSession, card: TestCard): Promise<Subscription> {
    const entered = card === undefined ? {} : { test_card: card }
    const done = await this.client.call(checkoutSessions.complete, { id: session.id, ...entered })
    const id = 'subscription' in done ? done.subscription : null
    if (id === null) throw new Error(`completing ${session.id} made no subscription`)
    return this.#noted(await this.client.call(subscriptions.retrieve, { id }))
  }

  async sale(sale: Sale = {}): Promise<Subscription> {
    const id = this.given('sub_')
    const { card = 'visa', isOnClock = false, data } = sale
    if (id !== null) return onClock(await this.client.call(subscriptions.retrieve, { id }), isOnClock)
    const isSent = data?.collection_method === 'send_invoice'
    return this.completed(await this.checkout(sale), isSent ? undefined : card)
  }

  /** An invoice that was sent and waits to be paid. */
  async openInvoice(sale: Sale = {}): Promise<Invoice> {
    const given = this.given('in_')
    if (given !== null) return this.client.call(invoices.retrieve, { id: given })
    const data = { ...sale.data, collection_method: 'send_invoice' as const }
    return this.latestInvoice(await this.sale({ ...sale, data }))
  }

  async latestInvoice({ id }: { readonly id: string }): Promise<Invoice> {
    const { data } = await this.client.call(invoices.list, { subscription: id, limit: 1 })
    const [invoice] = data
    if (invoice === undefined) throw unusable(id, 'has no invoice')
    return this.#noted(invoice)
  }

  async paymentSession({ isOnClock = false }: Sale = {}): Promise<PaymentSession> {
    const id = this.given('py_sess_')
    if (id !== null) return onClock(await this.client.call(paymentSessions.retrieve, { id }), isOnClock)
    const { id: customer } = await this.customer({ isOnClock })
    const params = {
      amount: 1000,
      currency: 'eur',
      customer,
      payment_method_types: ['card'],
      return_url: 'https://example.com/return',
    } as const
    const edited = this.#edits.apply('payment_session', params)
    return this.#noted(await this.client.call(paymentSessions.create, edited))
  }

  /** A payment that went through. */
  async payment(card: TestCard = 'visa', sale: Sale = {}): Promise<string> {
    const given = this.given('py_')
    if (given !== null) return given
    const { id, payment } = await this.paymentSession(sale)
    if (payment !== null) return payment
    const done = await this.client.call(paymentSessions.complete, { id, ...(card && { test_card: card }) })
    if (!('payment' in done) || done.payment === null) throw unusable(id, 'made no payment')
    this.subjects.add(done.payment)
    return done.payment
  }

  /** A saved card. */
  async card(): Promise<string> {
    const given = this.given('pm_')
    if (given !== null) return given
    const { id, default_payment_method } = await this.sale()
    if (default_payment_method === null) throw unusable(id, 'has no card')
    this.subjects.add(default_payment_method)
    return default_payment_method
  }

  /** What is sent for an object that the recipe itself creates. */
  edited<P extends object>(object: string, params: P): P {
    return this.#edits.apply(object, params)
  }

  /** Moves the time of what lives on a test clock. */
  async advance(
    { test_clock, id }: { readonly test_clock: string | null; readonly id: string },
    to: Omit<ParamsOf<typeof testClocks.advance>, 'id'>,
  ): Promise<void> {
    if (test_clock === null) throw inRealTime(id)
    this.subjects.add(test_clock)
    await this.client.call(testClocks.advance, { id: test_clock, ...to })
  }

  #noted<T extends { readonly id: string }>(made: T): T {
    this.subjects.add(made.id)
    return made
  }
}

/** Lets a card be declined, or ask for the buyer: that is what the trigger is after. */
export async function tolerant(call: Promise<unknown>): Promise<void> {
  try {
    await call
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 402) throw error
  }
}

/** The prefix of an id, such as `py_sess_`. */
export function prefixOf(id: string): string {
  return /^[a-z]+(?:_sess)?_/.exec(id)?.[0] ?? ''
}

function onClock<T extends { readonly id: string; readonly test_clock: string | null }>(
  object: T,
  isOnClock: boolean,
): T {
  if (isOnClock && object.test_clock === null) throw inRealTime(object.id)
  return object
}

function inRealTime(id: string): UsageError {
  return unusable(id, 'is in real time, which cannot be moved', 'one on a test clock: paycli clock create')
}

/** Refuses an object that was given; `instead` is what to give in its place, such as `another: paycli customers list`. */
export function unusable(id: string, problem: string, instead: string | null = null): UsageError {
  const other = instead === null ? '' : `, or give ${instead}`
  return new UsageError('id_unusable', `'${id}' ${problem}, so this event cannot be caused with it.`, {
    param: 'id',
    hint: `Leave --id out to have all made${other}`,
  })
}
