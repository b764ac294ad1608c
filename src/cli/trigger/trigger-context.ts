import type { ParamsOf, ResultOf } from '../../api/core/operation.ts'
import { cardSessions } from '../../api/operations/card-sessions.ts'
import { checkoutSessions } from '../../api/operations/checkout-sessions.ts'
import { customers } from '../../api/operations/customers.ts'
import { invoiceItems } from '../../api/operations/invoice-items.ts'
import { invoices } from '../../api/operations/invoices.ts'
import { paymentSessions } from '../../api/operations/payment-sessions.ts'
import { subscriptions } from '../../api/operations/subscriptions.ts'
import { testClocks } from '../../api/operations/test-clocks.ts'
import { resourceOfId } from '../../api/resources/catalog.ts'
import { ApiError } from '../../client/api-error.ts'
import type { Client } from '../../client/client.ts'
import type { CallableOperation } from '../../client/request.ts'
import type { InvoiceItem } from '../../domain/billing/invoice-items.ts'
import type { Invoice } from '../../domain/billing/invoices.ts'
import type { Subscription } from '../../domain/billing/subscriptions.ts'
import type { CardSession } from '../../domain/completion/card-sessions.ts'
import type { JsonObject } from '../../domain/core/json-object.ts'
import type { Customer } from '../../domain/payments/customers.ts'
import type { CheckoutSession } from '../../domain/sessions/checkout-sessions.ts'
import type { PaymentSession } from '../../domain/sessions/payment-sessions.ts'
import type { TestClock } from '../../domain/time/test-clocks.ts'
import { UsageError } from '../errors/usage-error.ts'
import type { ParamOverrides } from './trigger-overrides.ts'

type SubscriptionData = ParamsOf<typeof checkoutSessions.create>['subscription_data']
type TestCard = ParamsOf<typeof checkoutSessions.complete>['test_card']

interface WithId {
  readonly id: string
}

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

  async testClock(): Promise<TestClock> {
    const given = await this.given<TestClock>('test_clock')
    if (given !== null) return given
    const params = { frozen_time: await this.client.now(), name: 'trigger' }
    return this.create('test_clock', testClocks.create, params)
  }

  async customer({ isOnClock = false }: SaleOptions = {}): Promise<Customer> {
    const given = await this.given<Customer>('customer', isOnClock)
    if (given !== null) return given
    const isClockNeeded = isOnClock || this.isGiven('test_clock')
    const clock = isClockNeeded ? { test_clock: (await this.testClock()).id } : {}
    const params = { email: 'ada@example.com', name: 'Ada Lovelace', ...clock }
    return this.create('customer', customers.create, params)
  }

  async checkoutSession({ isOnClock = false, data = {} }: SaleOptions = {}): Promise<CheckoutSession> {
    const given = await this.given<CheckoutSession>('checkout_session', isOnClock)
    if (given !== null) return given
    const { id: customer } = await this.customer({ isOnClock })
    return this.createCheckoutSession(customer, data)
  }

  createCheckoutSession(
    customer: string,
    data: Partial<SubscriptionData>,
    session: Partial<ParamsOf<typeof checkoutSessions.create>> = {},
  ): Promise<CheckoutSession> {
    return this.create('checkout_session', checkoutSessions.create, {
      customer,
      currency: 'eur',
      payment_method_types: ['card'],
      ...session,
      subscription_data: { ...MONTHLY, ...data },
    })
  }

  /** Completes a checkout session and returns its subscription. */
  async completeCheckout(session: CheckoutSession, card: TestCard): Promise<Subscription> {
    const entered = card === undefined ? {} : { test_card: card }
    const done = await this.client.call(checkoutSessions.complete, { id: session.id, ...entered })
    const id = 'subscription' in done ? done.subscription : null
    if (id === null) throw new Error(`completing ${session.id} created no subscription`)
    return this.#related(await this.client.call(subscriptions.retrieve, { id }))
  }

  async subscription(sale: SaleOptions = {}): Promise<Subscription> {
    const { card = 'visa', isOnClock = false, data } = sale
    const given = await this.given<Subscription>('subscription', isOnClock)
    if (given !== null) return given
    const isSent = data?.collection_method === 'send_invoice'
    return this.completeCheckout(await this.checkoutSession(sale), isSent ? undefined : card)
  }

  /** Returns a pending one-off fee. */
  async invoiceItem(sale: SaleOptions = {}): Promise<InvoiceItem> {
    const given = await this.given<InvoiceItem>('invoice_item', sale.isOnClock)
    if (given !== null) return given
    return this.create('invoice_item', invoiceItems.create, {
      subscription: (await this.subscription(sale)).id,
      description: 'Replacement key',
      unit_amount: 2500,
    })
  }

  /** Returns an open invoice that the customer pays by hand. */
  async openInvoice(sale: SaleOptions = {}): Promise<Invoice> {
    const given = await this.given<Invoice>('invoice')
    if (given !== null) return given
    const data = { ...sale.data, collection_method: 'send_invoice' as const }
    return this.latestInvoice(await this.subscription({ ...sale, data }))
  }

  async latestInvoice({ id }: WithId): Promise<Invoice> {
    const { data } = await this.client.call(invoices.list, { subscription: id, limit: 1 })
    const [invoice] = data
    if (invoice === undefined) throw unusableId(id, 'has no invoice')
    return this.#related(invoice)
  }

  async paymentSession({ isOnClock = false }: SaleOptions = {}): Promise<PaymentSession> {
    const given = await this.given<PaymentSession>('payment_session', isOnClock)
    return given ?? this.createPaymentSession(await this.customer({ isOnClock }))
  }

  /** Creates a payment session; `fields` are further parameters. */
  createPaymentSession(
    { id: customer }: WithId,
    fields: { readonly save_payment_method?: boolean } = {},
  ): Promise<PaymentSession> {
    return this.create('payment_session', paymentSessions.create, {
      amount: 1000,
      currency: 'eur',
      customer,
      payment_method_types: ['card'],
      return_url: 'https://example.com/return',
      ...fields,
    })
  }

  async cardSession({ isOnClock = false }: SaleOptions = {}): Promise<CardSession> {
    const given = await this.given<CardSession>('card_session', isOnClock)
    if (given !== null) return given
    return this.createCardSession((await this.customer({ isOnClock })).id)
  }

  createCardSession(customer: string): Promise<CardSession> {
    const return_url = 'https://example.com/account'
    return this.create('card_session', cardSessions.create, { customer, return_url })
  }

  async payment(card: TestCard = 'visa', sale: SaleOptions = {}): Promise<WithId> {
    const given = await this.given<WithId>('payment')
    if (given !== null) return given
    const { id, payment } = await this.paymentSession(sale)
    if (payment !== null) return { id: payment }
    const done = await this.client.call(paymentSessions.complete, { id, ...(card && { test_card: card }) })
    if (!('payment' in done) || done.payment === null) throw unusableId(id, 'created no payment')
    return this.#related({ id: done.payment })
  }

  /** Returns a saved card. */
  async card(): Promise<WithId> {
    const given = await this.given<WithId>('payment_method')
    if (given !== null) return given
    const { id, default_payment_method } = await this.subscription()
    if (default_payment_method === null) throw unusableId(id, 'has no card')
    return this.#related({ id: default_payment_method })
  }

  /** Creates an object, with the overrides of the command line. */
  async create<O extends CallableOperation>(
    object: string,
    operation: O,
    params: ParamsOf<O>,
  ): Promise<ResultOf<O>> {
    const created = await this.client.call(operation, this.#overrides.apply(object, Object(params)))
    return this.#related(created as ResultOf<O> & WithId)
  }

  /** Calls an operation on an object. */
  async call(operation: CallableOperation, object: Promise<WithId>, params: object = {}): Promise<object> {
    return this.client.send(operation, { id: (await object).id, ...params })
  }

  /** Advances the test clock of an object. */
  async advance(
    { test_clock, id }: WithId & { readonly test_clock: string | null },
    to: Omit<ParamsOf<typeof testClocks.advance>, 'id'>,
  ): Promise<void> {
    if (test_clock === null) throw notOnClock(id)
    this.objectIds.add(test_clock)
    await this.client.call(testClocks.advance, { id: test_clock, ...to })
  }

  /** Returns whether `--id` names an object of this type. */
  isGiven(object: string): boolean {
    return this.#id !== undefined && resourceOfId(this.#id)?.object === object
  }

  /** Returns the object given by `--id`, or null when none of this type is given. */
  async given<T extends WithId>(object: string, isClockRequired = false): Promise<T | null> {
    if (!this.isGiven(object)) return null
    const id = String(this.#id)
    const { path, topic } = resourceOfId(id) ?? {}
    const response = await this.client.send({ method: 'GET', path: `/v1/${path}/:id` }, { id })
    const found: JsonObject = { ...response }
    if (found['deleted'] === true) throw unusableId(id, 'was deleted', `another: paycli ${topic} list`)
    if (isClockRequired && found['test_clock'] === null) throw notOnClock(id)
    return found as object as T
  }

  #related<T extends WithId>(object: T): T {
    this.objectIds.add(object.id)
    return object
  }
}

/** Waits for a call and ignores a 402, because the trigger needs the declined or unauthenticated payment. */
export async function ignoreDecline(call: Promise<unknown>): Promise<void> {
  try {
    await call
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 402) throw error
  }
}

function notOnClock(id: string): UsageError {
  const alternative = 'an object on a test clock: paycli clock create'
  return unusableId(id, 'is in real time, which cannot be advanced', alternative)
}

/** Returns the error for an unusable `--id`; `alternative` names another object, such as `another: paycli customers list`. */
export function unusableId(id: string, problem: string, alternative: string | null = null): UsageError {
  const other = alternative === null ? '' : `, or give ${alternative}`
  return new UsageError('id_unusable', `Cannot trigger this event with '${id}': it ${problem}.`, {
    param: 'id',
    hint: `Omit --id to create every object${other}`,
  })
}
