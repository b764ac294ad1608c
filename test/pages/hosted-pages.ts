import { AsyncLocalStorage } from 'node:async_hooks'
import type { Invoice } from '../../src/domain/billing/invoices.ts'
import type { ServerBrand } from '../../src/domain/branding/branding.ts'
import type { Creation, IdPrefix, RuleContext, StoredObject } from '../../src/domain/core/changes.ts'
import { DEFAULT_DUNNING_POLICY } from '../../src/domain/core/dunning.ts'
import { type Customer, createCustomer } from '../../src/domain/payments/customers.ts'
import { API_KEY_PREFIXES } from '../../src/domain/sandboxes/api-keys.ts'
import {
  type CheckoutSessionParams,
  createCheckoutSession,
} from '../../src/domain/sessions/checkout-sessions.ts'
import {
  createPaymentSession,
  type PaymentSession,
  type PaymentSessionParams,
} from '../../src/domain/sessions/payment-sessions.ts'
import { commit } from '../../src/engine/commit.ts'
import { createFaultRuleCache } from '../../src/engine/fault-rule-cache.ts'
import type { Runtime } from '../../src/engine/runtime.ts'
import { REAL_TIME } from '../../src/engine/time-reference.ts'
import {
  createUnhandledErrorResponse,
  handlePageRequest,
  type PageRequest,
  type PageResponse,
  type PagesOptions,
} from '../../src/pages/routes.ts'
import { createMemoryStore } from '../../src/store/memory/memory-store.ts'

/** 3 March 2026, 10:00 UTC. */
export const NOW = 1_772_532_000

export const RETURN_URL = 'https://shop.example/thanks?order=7&from=a%20b'

/** A page response whose body is a string, which is empty for a redirect. */
export type ServedPage = Omit<PageResponse, 'body'> & { readonly body: string }

function toServedPage({ body, ...response }: PageResponse): ServedPage {
  return { ...response, body: String(body ?? '') }
}

/** Renders the error page for a request that failed outside of `handlePageRequest`. */
export function renderFailurePage(
  status: number,
  pages: Pick<PagesOptions, 'brand'>,
  request?: Parameters<typeof createUnhandledErrorResponse>[2],
): ServedPage {
  return toServedPage(createUnhandledErrorResponse(status, { ...new HostedPages().pages, ...pages }, request))
}

export type Form = Readonly<Record<string, string>>

/** A valid card that always succeeds. */
export const VISA: Form = {
  number: '4242 4242 4242 4242',
  expiry: '12/30',
  cvc: '123',
  name: 'Ada',
}

/** Returns a valid card with another number. */
export function card(number: string): Form {
  return { ...VISA, number }
}

const acceptedLanguage = new AsyncLocalStorage<string>()

/** Runs `work` with a preferred language for its requests to hosted pages. */
export function inLanguage<T>(tag: string, work: () => Promise<T>): Promise<T> {
  return acceptedLanguage.run(tag, work)
}

/** Returns the Accept-Language header of requests to hosted pages: English outside of `inLanguage`. */
export function acceptLanguage(): string {
  return acceptedLanguage.getStore() ?? 'en'
}

/** Hosted pages on a memory store with a fixed clock and sequential ids, or on a given runtime. */
export class HostedPages {
  readonly runtime: Runtime
  readonly pages: PagesOptions & { isLocal: boolean; brand: ServerBrand }
  now = NOW
  #count = 0

  constructor(checkoutUrl = 'http://127.0.0.1:4243', given?: Runtime) {
    const store = createMemoryStore()
    const wallNow = () => this.now
    this.runtime = given ?? {
      ...{ store, wallNow, faults: createFaultRuleCache(store, wallNow) },
      newId: (prefix: IdPrefix) => prefix + this.#next(),
      fingerprint: (number) => `print${number.length}`,
      publicIdempotencyKey: (key) => key,
      newWebhookSecret: () => `whsec_${this.#next()}`,
      newApiKey: (kind) => `${API_KEY_PREFIXES[kind]}${this.#next()}`,
      requireAllowedUrl: () => {},
      checkoutUrl,
      dunning: DEFAULT_DUNNING_POLICY,
      yieldToEventLoop: async () => {},
    }
    this.pages = {
      runtime: this.runtime,
      isLocal: false,
      brand: { name: null },
      formKey: 'a form key',
      newNonce: () => this.#next(),
      onError: () => {},
    }
  }

  #next(): string {
    this.#count += 1
    return String(this.#count).padStart(24, '0')
  }

  /** Commits one new object. */
  create<T extends StoredObject>(make: (context: RuleContext) => Creation<T>): Promise<T> {
    return commit(this.runtime, {
      request: null,
      load: async () => null,
      when: () => REAL_TIME,
      decide: (_, context) => {
        const made = make(context)
        return { changes: [made], result: made.after }
      },
    })
  }

  customer(fields: Partial<Customer> = {}): Promise<Customer> {
    return this.create((context) => {
      const made = createCustomer({ email: 'ada@example.com', name: 'Ada Lovelace' }, context)
      return { ...made, after: { ...made.after, ...fields } }
    })
  }

  async payment(fields: Partial<PaymentSessionParams> = {}, customer?: Customer) {
    const payer = customer ?? (await this.customer())
    const defaults = {
      amount: 4500,
      currency: 'eur',
      customer: payer.id,
      payment_method_types: ['card' as const],
      return_url: RETURN_URL,
    }
    return this.create((context) => createPaymentSession({ ...defaults, ...fields }, payer, context))
  }

  async checkout(
    terms: Partial<CheckoutSessionParams['subscription_data']> = {},
    fields: Partial<CheckoutSessionParams> = {},
    customer?: Customer,
  ) {
    const payer = customer ?? (await this.customer())
    const items = [
      { description: 'Monthly rent', type: 'rent', price_data: { amount: 100_000, tax_percent: 20 } },
    ]
    const subscription_data = { interval: 'month' as const, items, ...terms }
    return this.create((context) =>
      createCheckoutSession(
        { currency: 'eur', customer: payer.id, ...fields, subscription_data },
        payer,
        context,
      ),
    )
  }

  /** Expires an open payment session, as its merchant would. */
  async cancel(session: PaymentSession): Promise<void> {
    const put: PaymentSession = { ...session, status: 'expired', expiration_reason: 'api' }
    await this.runtime.store.transact(async () => ({ result: null, writes: [{ put }], events: [] }))
  }

  async serve(request: Partial<PageRequest> & { readonly path: string }): Promise<ServedPage> {
    const defaults = { method: 'GET', form: null, acceptLanguage: acceptLanguage() }
    return toServedPage(await handlePageRequest({ ...defaults, ...request }, this.pages))
  }

  get(path: string): Promise<ServedPage> {
    return this.serve({ path })
  }

  /** Posts a form as a program does, and receives the page without a redirect. */
  post(path: string, form: Form): Promise<ServedPage> {
    return this.serve({ method: 'POST', path, form, accept: '*/*' })
  }

  /** Posts a form as a browser does, and returns the location of the redirect. */
  async browse(path: string, form: Form): Promise<string> {
    const answer = await this.serve({ method: 'POST', path, form, accept: 'text/html,*/*;q=0.8' })
    if (answer.status !== 303) throw new Error(`a browser got ${answer.status} for a form`)
    return locationOf(answer)
  }

  /** Opens the location of a redirect. */
  follow(location: string): Promise<ServedPage> {
    const [path = '', query = ''] = location.split('?')
    return this.serve({ path, query, accept: 'text/html,*/*;q=0.8' })
  }

  /** Opens the form at a path and submits it with the given fields. */
  async submit(path: string, fields: Form): Promise<ServedPage> {
    const form_token = tokenIn((await this.get(path)).body)
    return this.post(path, { ...fields, form_token })
  }

  /** Returns the types of all events, oldest first. */
  async events(): Promise<string[]> {
    const { data } = await this.runtime.store.list('events', { limit: 1000 })
    return data.toSorted((a, b) => a.sequence - b.sequence).map(({ type }) => type)
  }

  /** Returns all records that a submission may create, as a string. */
  async kept(): Promise<string> {
    const names = [
      'events',
      'payments',
      'payment_methods',
      'customers',
      'checkout_sessions',
      'payment_sessions',
    ]
    const lists = names.map((name) => this.runtime.store.list(name as 'events', { limit: 1000 }))
    return JSON.stringify(await Promise.all(lists))
  }
}

type PageAct = (hosted: HostedPages, path: string) => Promise<ServedPage>

/** Opens a page. */
export const open: PageAct = (hosted, path) => hosted.get(path)

/** Returns a function that resolves with the response to an action on the page of a new payment session. */
export function onPayment(act: PageAct, fields?: Parameters<HostedPages['payment']>[0]) {
  return async (): Promise<ServedPage> => {
    const hosted = new HostedPages()
    return act(hosted, pathOf(await hosted.payment(fields)))
  }
}

/** Returns a function that resolves with the response to an action on the page of a new checkout session. */
export function onCheckout(act: PageAct, ...terms: Parameters<HostedPages['checkout']>) {
  return async (): Promise<ServedPage> => {
    const hosted = new HostedPages()
    return act(hosted, pathOf(await hosted.checkout(...terms)))
  }
}

/** Returns the path of a session's page. */
export function pathOf({ url }: { readonly url: string }): string {
  return new URL(url).pathname
}

/** Returns the path of an invoice's page. */
export function invoicePathOf({ hosted_invoice_url }: Pick<Invoice, 'hosted_invoice_url'>): string {
  return pathOf({ url: hosted_invoice_url ?? '' })
}

/** Returns the text between the tags of a page, with ordinary spaces. */
export function textOf(body: string): string {
  return body.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
}

/** Returns the form token of a page. */
export function tokenIn(body: string): string {
  const token = /name="form_token"[^>]* value="([^"]+)"/.exec(body)?.[1]
  if (token === undefined) throw new Error(`no form in ${body}`)
  return token
}

/** Returns the location of a redirect. */
export function locationOf({ headers }: Pick<PageResponse, 'headers'>): string {
  return headers['Location'] ?? ''
}
