import type { ParamsOf } from '../../api/core/operation.ts'
import { checkoutSessions } from '../../api/operations/checkout-sessions.ts'
import { customers } from '../../api/operations/customers.ts'
import { invoices } from '../../api/operations/invoices.ts'
import { paymentSessions } from '../../api/operations/payment-sessions.ts'
import { subscriptions } from '../../api/operations/subscriptions.ts'
import { testClocks } from '../../api/operations/test-clocks.ts'
import { resourceOfId } from '../../api/resources/catalog.ts'
import { ApiError } from '../../client/api-error.ts'
import type { Client } from '../../client/client.ts'
import type { CheckoutSession } from '../../domain/checkout-sessions.ts'
import type { Customer } from '../../domain/customers.ts'
import type { Invoice } from '../../domain/invoices.ts'
import type { PaymentSession } from '../../domain/payment-sessions.ts'
import type { Subscription } from '../../domain/subscriptions.ts'
import type { TestClock } from '../../domain/test-clocks.ts'
import { UsageError } from '../errors/usage-error.ts'
import type { ParamOverrides } from './trigger-overrides.ts'

type SubscriptionData = ParamsOf<typeof checkoutSessions.create>['subscription_data']
type TestCard = ParamsOf<typeof checkoutSessions.complete>['test_card']

/** Options of the objects that a context creates. */
export interface SaleOptions {
  /** The test card that pays (default: `visa`). */
  readonly card?: TestCard
  /** Whether the objects must be on a test clock, so that their time can be advanced. */
  readonly isOnClock?: boolean
  readonly data?: Partial<SubscriptionData>
}

const MONTHLY: SubscriptionData = {
  interval: 'month',
  interval_count: 1,
  items: [{ description: 'Monthly rent', type: 'rent', price_data: { amount: 100_000, tax_percent: 20 } }],
}

/** The objects of one trigger. Each method returns the object given by `--id` if it has that type, or creates one. */
export class TriggerContext {
  readonly client: Client
  /** The ids of every object that was given or created. */
  readonly objectIds = new Set<string>()
  readonly #id: string | undefined
  readonly #overrides: ParamOverrides

  constructor(
    client: Client,
    { id, overrides }: { readonly id: string | undefined; readonly overrides: ParamOverrides },
  ) {
    this.client = client
    this.#id = id
    this.#overrides = overrides
    if (id !== undefined) this.objectIds.add(id)
  }

  #givenId(object: string): string | null {
    return this.#id !== undefined && resourceOfId(this.#id)?.object === object ? this.#id : null
  }

  async testClock(): Promise<TestClock> {
    const id = this.#givenId('test_clock')
    if (id !== null) return this.client.call(testClocks.retrieve, { id })
    const params = { frozen_time: await this.client.now(), name: 'trigger' }
    return this.#created(await this.client.call(testClocks.create, this.applyOverrides('test_clock', params)))
  }

  async customer({ isOnClock = false }: SaleOptions = {}): Promise<Customer> {
    const id = this.#givenId('customer')
    if (id !== null) return requireClock(await this.#liveCustomer(id), isOnClock)
    const isClockNeeded = isOnClock || this.#givenId('test_clock') !== null
    const clock = isClockNeeded ? { test_clock: (await this.testClock()).id } : {}
    const params = { email: 'ada@example.com', name: 'Ada Lovelace', ...clock }
    return this.#created(await this.client.call(customers.create, this.applyOverrides('customer', params)))
  }

  async #liveCustomer(id: string): Promise<Customer> {
    const customer = await this.client.call(customers.retrieve, { id })
    if ('deleted' in customer) throw unusableId(id, 'was deleted', 'another: paycli customers list')
    return customer
  }

  async checkoutSession({ isOnClock = false, data = {} }: SaleOptions = {}): Promise<CheckoutSession> {
    const id = this.#givenId('checkout_session')
    if (id !== null) return requireClock(await this.client.call(checkoutSessions.retrieve, { id }), isOnClock)
    const { id: customer } = await this.customer({ isOnClock })
    return this.createCheckoutSession(customer, data)
  }

  async createCheckoutSession(customer: string, data: Partial<SubscriptionData>): Promise<CheckoutSession> {
    const params: ParamsOf<typeof checkoutSessions.create> = {
      customer,
      currency: 'eur',
      payment_method_types: ['card'],
      subscription_data: { ...MONTHLY, ...data },
    }
    const overridden = this.applyOverrides('checkout_session', params)
    return this.#created(await this.client.call(checkoutSessions.create, overridden))
  }

  /** Completes a checkout session and returns its subscription. */
  async completeCheckout(session: CheckoutSession, card: TestCard): Promise<Subscription> {
    const entered = card === undefined ? {} : { test_card: card }
    const done = await this.client.call(checkoutSessions.complete, { id: session.id, ...entered })
    const id = 'subscription' in done ? done.subscription : null
    if (id === null) throw new Error(`completing ${session.id} created no subscription`)
    return this.#created(await this.client.call(subscriptions.retrieve, { id }))
  }

  async subscription(sale: SaleOptions = {}): Promise<Subscription> {
    const id = this.#givenId('subscription')
    const { card = 'visa', isOnClock = false, data } = sale
    if (id !== null) return requireClock(await this.client.call(subscriptions.retrieve, { id }), isOnClock)
    const isSent = data?.collection_method === 'send_invoice'
    return this.completeCheckout(await this.checkoutSession(sale), isSent ? undefined : card)
  }

  /** Returns an open invoice that the customer pays by hand. */
  async openInvoice(sale: SaleOptions = {}): Promise<Invoice> {
    const given = this.#givenId('invoice')
    if (given !== null) return this.client.call(invoices.retrieve, { id: given })
    const data = { ...sale.data, collection_method: 'send_invoice' as const }
    return this.latestInvoice(await this.subscription({ ...sale, data }))
  }

  async latestInvoice({ id }: { readonly id: string }): Promise<Invoice> {
    const { data } = await this.client.call(invoices.list, { subscription: id, limit: 1 })
    const [invoice] = data
    if (invoice === undefined) throw unusableId(id, 'has no invoice')
    return this.#created(invoice)
  }

  async paymentSession({ isOnClock = false }: SaleOptions = {}): Promise<PaymentSession> {
    const id = this.#givenId('payment_session')
    if (id !== null) return requireClock(await this.client.call(paymentSessions.retrieve, { id }), isOnClock)
    const { id: customer } = await this.customer({ isOnClock })
    const params = {
      amount: 1000,
      currency: 'eur',
      customer,
      payment_method_types: ['card'],
      return_url: 'https://example.com/return',
    } as const
    const overridden = this.applyOverrides('payment_session', params)
    return this.#created(await this.client.call(paymentSessions.create, overridden))
  }

  /** Returns the id of a payment. */
  async payment(card: TestCard = 'visa', sale: SaleOptions = {}): Promise<string> {
    const given = this.#givenId('payment')
    if (given !== null) return given
    const { id, payment } = await this.paymentSession(sale)
    if (payment !== null) return payment
    const done = await this.client.call(paymentSessions.complete, { id, ...(card && { test_card: card }) })
    if (!('payment' in done) || done.payment === null) throw unusableId(id, 'created no payment')
    this.objectIds.add(done.payment)
    return done.payment
  }

  /** Returns the id of a saved card. */
  async card(): Promise<string> {
    const given = this.#givenId('payment_method')
    if (given !== null) return given
    const { id, default_payment_method } = await this.subscription()
    if (default_payment_method === null) throw unusableId(id, 'has no card')
    this.objectIds.add(default_payment_method)
    return default_payment_method
  }

  /** Returns the parameters of an object with the overrides of the command line. */
  applyOverrides<P extends object>(object: string, params: P): P {
    return this.#overrides.apply(object, params)
  }

  /** Advances the test clock of an object. */
  async advance(
    { test_clock, id }: { readonly test_clock: string | null; readonly id: string },
    to: Omit<ParamsOf<typeof testClocks.advance>, 'id'>,
  ): Promise<void> {
    if (test_clock === null) throw notOnClock(id)
    this.objectIds.add(test_clock)
    await this.client.call(testClocks.advance, { id: test_clock, ...to })
  }

  #created<T extends { readonly id: string }>(object: T): T {
    this.objectIds.add(object.id)
    return object
  }
}

/** Waits for a call and ignores a 402: the trigger wants the declined or unauthenticated payment. */
export async function ignoreDecline(call: Promise<unknown>): Promise<void> {
  try {
    await call
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 402) throw error
  }
}

function requireClock<T extends { readonly id: string; readonly test_clock: string | null }>(
  object: T,
  isRequired: boolean,
): T {
  if (isRequired && object.test_clock === null) throw notOnClock(object.id)
  return object
}

function notOnClock(id: string): UsageError {
  return unusableId(
    id,
    'is in real time, which cannot be advanced',
    'an object on a test clock: paycli clock create',
  )
}

/** Returns the error for an unusable `--id`; `alternative` names another object, such as `another: paycli customers list`. */
export function unusableId(id: string, problem: string, alternative: string | null = null): UsageError {
  const other = alternative === null ? '' : `, or give ${alternative}`
  return new UsageError('id_unusable', `Cannot trigger this event with '${id}': it ${problem}.`, {
    param: 'id',
    hint: `Omit --id to create every object${other}`,
  })
}
