import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { paycli } from '../commands/paycli.ts'
import { type Serving, startServing } from '../commands/serving.ts'
import { withPage } from '../pages/browser-session.ts'
import { launchBrowser } from '../support/chromium.ts'
import { newFolder } from '../support/folders.ts'
import { assert } from '../support/suite.ts'

const TERMS = ['--currency', 'eur', '--item', 'Monthly plan:1000:19', '--interval', 'month']

/** A customer on a test clock with a subscription. */
export interface StorySubscription {
  readonly clock: string
  readonly customer: string
  readonly subscription: string
}

interface BillingStoriesOptions {
  readonly env: { readonly PAYCLI_HOME: string }
  readonly serving: Serving
  readonly browser: Browser
  readonly shop: Server
}

interface SubscribeOptions {
  readonly card?: string
  /** The time of the new clock (default: 2026-01-01). */
  readonly at?: string
  readonly flags?: readonly string[]
}

interface StoryInvoice {
  readonly id: string
  readonly status: string
  readonly total: number
  readonly hosted_invoice_url: string | null
}

/** A server process, the command line and a browser. */
export class BillingStories {
  readonly #env: { readonly PAYCLI_HOME: string }
  readonly #serving: Serving
  readonly #browser: Browser
  readonly #shop: Server

  private constructor({ env, serving, browser, shop }: BillingStoriesOptions) {
    this.#env = env
    this.#serving = serving
    this.#browser = browser
    this.#shop = shop
  }

  /** Starts the server and the browser; the caller must close them. */
  static async open(): Promise<BillingStories> {
    const env = { PAYCLI_HOME: newFolder() }
    const serving = await startServing(['--memory', '--log-format', 'silent'], env)
    const shop = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end('<title>Shop</title>')
    })
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
    return new BillingStories({ env, serving, browser: await launchBrowser(), shop })
  }

  /** The origin of the shop, for `return_url`. */
  get shopUrl(): string {
    return `http://127.0.0.1:${(this.#shop.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    await this.#browser.close()
    this.#serving.kill('SIGKILL')
    await this.#serving.ended
    this.#shop.close()
  }

  /** Runs a command in a process of its own, which must end with the exit code (default: 0); returns its stdout. */
  async run(args: readonly string[], code = 0): Promise<string> {
    const ended = await paycli(args, { env: this.#env })
    assert.is(ended.code, code, `${args.join(' ')}: ${ended.stderr}`)
    return ended.stdout.trim()
  }

  /** Runs a command and returns a field of its response. */
  field(field: string, ...args: string[]): Promise<string> {
    return this.run([...args, '--field', field])
  }

  /** Creates a customer on a new test clock. */
  async customer(at = '2026-01-01'): Promise<{ readonly clock: string; readonly customer: string }> {
    const clock = await this.field('id', 'clock', 'create', '--at', at)
    const owner = ['--email', 'ada@example.com', '--name', 'Ada', '--test-clock', clock]
    return { clock, customer: await this.field('id', 'customers', 'create', ...owner) }
  }

  /** Creates a customer who completes a checkout session with these flags. */
  async subscribe({ card = 'visa', at, flags = [] }: SubscribeOptions = {}): Promise<StorySubscription> {
    const { clock, customer } = await this.customer(at)
    const terms = ['--customer', customer, ...TERMS, ...flags]
    const session = await this.field('id', 'checkout', 'create', ...terms)
    const paid = ['checkout', 'complete', session, '--card', card]
    return { clock, customer, subscription: await this.field('subscription', ...paid) }
  }

  /** Advances a clock. */
  advance({ clock }: StorySubscription, duration: string): Promise<string> {
    return this.run(['clock', 'advance', clock, duration])
  }

  /** Returns the status of a subscription. */
  statusOf({ subscription }: StorySubscription): Promise<string> {
    return this.field('status', 'subscriptions', 'retrieve', subscription)
  }

  /** Returns the invoices of a subscription, oldest first. */
  async invoicesOf({ subscription }: StorySubscription): Promise<StoryInvoice[]> {
    const list = await this.run(['invoices', 'list', '--subscription', subscription, '--json'])
    return JSON.parse(list).data.reverse()
  }

  /** Returns the event types of an object's timeline, oldest first. */
  async timelineOf(id: string): Promise<string[]> {
    const events: { type: string }[] = JSON.parse(await this.run(['timeline', id, '--json']))
    return events.map(({ type }) => type)
  }

  /** Opens a hosted page in the browser. */
  visit(url: string, work: (page: Page) => Promise<void>): Promise<void> {
    return withPage(this.#browser, {}, async (page) => {
      await page.goto(url)
      await work(page)
    })
  }
}
