import { type RuleContext, toCreation } from '../../src/domain/core/changes.ts'
import { DEFAULT_DUNNING_POLICY } from '../../src/domain/core/dunning.ts'
import { type Event, toEvent } from '../../src/domain/events/events.ts'
import {
  countPendingEndpoints,
  createFirstDeliveryAttempts,
  type WebhookDelivery,
} from '../../src/domain/events/webhook-deliveries.ts'
import {
  createWebhookEndpoint,
  MAX_WEBHOOK_ENDPOINTS,
  type WebhookEndpoint,
} from '../../src/domain/events/webhook-endpoints.ts'
import { createFault, type Fault, type FaultParams } from '../../src/domain/faults/faults.ts'
import { createFaultRuleCache, type FaultRuleCache } from '../../src/engine/fault-rule-cache.ts'
import { createMemoryStore } from '../../src/store/memory/memory-store.ts'
import type { Store, Write } from '../../src/store/port/store.ts'
import type { DeliveryFaultSelector } from '../../src/webhooks/attempt-faults.ts'
import type { DeliveryRequest } from '../../src/webhooks/delivery-request.ts'
import { DEFAULT_SCHEDULE, type RetrySchedule } from '../../src/webhooks/schedule.ts'
import type { SendResult } from '../../src/webhooks/send.ts'
import { createWebhookWorker, type WebhookWorker } from '../../src/webhooks/worker.ts'

const MAX_RECORDS = 100_000
const NO_FAULTS: DeliveryFaultSelector = { has: () => false, select: async () => null }

export type SendRequest = (request: DeliveryRequest) => Promise<SendResult>

/** Creates the result of an attempt (default: a success). */
export function createResult(fields: Partial<SendResult> = {}): SendResult {
  return {
    http_status: 200,
    error: null,
    error_message: null,
    duration_ms: 7,
    response_body: 'ok',
    response_body_truncated: false,
    retry_after: null,
    ...fields,
  }
}

/** The result of a failed attempt. */
export const FAILED_RESULT = createResult({ http_status: 500, error: 'http_status', response_body: 'no' })

/** Creates a promise and the function that resolves it. */
export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

/** A store with events and endpoints, and a clock that tests move. */
export class Outbox {
  /** Fractional Unix seconds. */
  now = 1_790_000_000
  readonly store: Store = createMemoryStore()
  readonly errors: unknown[] = []
  readonly faults: FaultRuleCache = createFaultRuleCache(this.store, () => Math.floor(this.now))
  readonly attempts: WebhookDelivery[] = []
  readonly disabled: WebhookEndpoint[] = []
  #ids = 0

  readonly context = (): RuleContext => ({
    now: Math.floor(this.now),
    wallNow: Math.floor(this.now),
    newId: this.newId,
    fingerprint: () => '',
    checkoutUrl: '',
    dunning: DEFAULT_DUNNING_POLICY,
  })

  readonly newId = (prefix: string): string => {
    this.#ids += 1
    return `${prefix}${String(this.#ids).padStart(24, '0')}`
  }

  /** Creates a worker on the store; a second worker simulates a restarted process. */
  worker(
    send: SendRequest,
    { store = this.store, schedule = DEFAULT_SCHEDULE, ...fields }: OutboxWorkerOptions = {},
  ): WebhookWorker {
    return createWebhookWorker({
      ...{ faults: NO_FAULTS, isNeverDisabled: () => false, isReachable: () => true },
      ...{ onFaultSelected() {}, onDeferred() {}, onStored() {} },
      ...fields,
      store,
      wallNowMs: () => Math.round(this.now * 1000),
      send,
      schedule,
      random: () => 0.5,
      newId: this.newId,
      onAttempt: (delivery) => this.attempts.push(delivery),
      onDisabled: (endpoint) => this.disabled.push(endpoint),
      onError: (error) => this.errors.push(error),
    })
  }

  async write(...writes: Write[]): Promise<void> {
    await this.store.transact(async () => ({ result: null, writes, events: [] }))
  }

  async addEndpoint(url: string, secret = `whsec_${Buffer.from(url).toString('base64')}`): Promise<string> {
    const made = createWebhookEndpoint({ url }, { secret, existing: 0 }, this.context())
    await this.write({ put: made.endpoint.after }, { put: made.secret.after })
    return made.endpoint.after.id
  }

  async updateEndpoint(id: string, fields: Partial<WebhookEndpoint>): Promise<void> {
    const endpoint = await this.endpoint(id)
    if (endpoint) await this.write({ put: { ...endpoint, ...fields } })
  }

  endpoint(id: string): Promise<WebhookEndpoint | null> {
    return this.store.get('webhook_endpoints', id)
  }

  /** Appends events with their deliveries, each in its own transaction, as the engine does. */
  async emit(count = 1): Promise<Event[]> {
    const events: Event[] = []
    for (let i = 0; i < count; i += 1) events.push(await this.#emitOne())
    return events
  }

  async #emitOne(): Promise<Event> {
    const committed = await this.store.transact(async (reader) => {
      const context = this.context()
      const customer = { id: this.newId('cus_'), object: 'customer', name: 'Zoë 🧾\u2028' }
      const event = toEvent(toCreation('customer.created', customer), null, context)
      if (event === null) throw new Error('a creation without an event')
      const endpoints = (await reader.list('webhook_endpoints', { limit: MAX_WEBHOOK_ENDPOINTS })).data
      const planned = createFirstDeliveryAttempts(event, endpoints, context)
      const writes = planned.map(({ after }) => ({ put: after }))
      return {
        result: null,
        writes,
        events: [{ ...event, pending_webhooks: countPendingEndpoints(planned.map(({ after }) => after)) }],
      }
    })
    const [event] = committed.events
    if (event === undefined) throw new Error('the store kept no event')
    return event
  }

  /** Adds a fault rule. */
  async addFault(fields: FaultParams): Promise<Fault> {
    const { after } = createFault(fields, this.context())
    await this.write({ put: after })
    await this.faults.refresh()
    return after
  }

  /** Returns a fault rule with its current counts. */
  async fault({ id }: Fault): Promise<Fault> {
    const fault = await this.store.get('faults', id)
    if (fault === null) throw new Error(`no fault ${id}`)
    return fault
  }

  async remove(delivery: WebhookDelivery): Promise<void> {
    await this.write({ remove: delivery })
  }

  /** Returns all deliveries, the oldest first. */
  async deliveries(where: Readonly<Record<string, string>> = {}): Promise<readonly WebhookDelivery[]> {
    return (await this.store.list('webhook_deliveries', { where, limit: MAX_RECORDS })).data.toReversed()
  }

  /** Moves the clock to each due delivery until no delivery is pending; resolves with the times. */
  async runOut(worker: WebhookWorker): Promise<number[]> {
    const times: number[] = []
    for (;;) {
      const pending = await this.deliveries({ status: 'pending' })
      if (pending.length === 0) return times
      const next = Math.min(...pending.map(({ next_attempt_at }) => next_attempt_at ?? Number.NaN))
      this.now = Math.max(this.now, next)
      times.push(this.now)
      await deliverDue(worker)
    }
  }
}

/** Makes due deliveries, and waits until their attempts are recorded. */
export async function deliverDue(worker: WebhookWorker): Promise<void> {
  await worker.tick()
  await worker.idle()
}

/** Creates an outbox with one endpoint and its first events (default: one event). */
export async function openOutbox(
  url: string,
  { count = 1, secret }: { count?: number; secret?: string } = {},
) {
  const outbox = new Outbox()
  const endpoint = await outbox.addEndpoint(url, secret)
  const events = await outbox.emit(count)
  return { outbox, endpoint, events, event: events[0] }
}

interface OutboxWorkerOptions {
  readonly faults?: DeliveryFaultSelector
  readonly store?: Store
  readonly schedule?: RetrySchedule
  readonly isNeverDisabled?: (endpoint: WebhookEndpoint) => boolean
}
