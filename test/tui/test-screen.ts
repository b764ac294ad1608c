import type { DeliveryRecord, ListenOutputRecord, ListenTarget } from '../../src/client/listen-records.ts'
import type { Event } from '../../src/domain/events/events.ts'
import {
  createScreenController,
  type ScreenActions,
  type ScreenController,
} from '../../src/tui/controller.ts'
import type { KeyPress } from '../../src/tui/keys.ts'
import type { ScreenSize } from '../../src/tui/screen-state.ts'
import { renderFrame } from '../../src/tui/view.ts'

export const NOON_MS = new Date(2026, 0, 31, 12, 5, 9).getTime()
export const SIZE = { columns: 80, rows: 24 }
export const TARGET: ListenTarget = {
  webhook_endpoint: 'we_1',
  url: 'http://localhost:3000/hook',
  enabled_events: ['*'],
  status: 'enabled',
}

export const CUSTOMER = { id: 'cus_1', object: 'customer', email: 'ada@example.com' }

/** Creates an event (default: about a customer). */
export function eventOf(
  number: number,
  fields: { type?: string; object?: object; before?: object; request?: string; created?: number } = {},
): Event {
  const { type = 'customer.created', object = CUSTOMER, before, request, created = NOON_MS / 1000 } = fields
  return {
    id: `evt_${number}`,
    object: 'event',
    type,
    created,
    request: request === undefined ? null : { id: request, idempotency_key: null },
    sequence: number,
    data: { object, ...(before === undefined ? {} : { previous_attributes: before }) },
  } as unknown as Event
}

/** Creates a delivery of an event to the target (default: succeeded with 200). */
export function deliveryOf(number: number, fields: Partial<DeliveryRecord> = {}): DeliveryRecord {
  return {
    type: 'delivery',
    id: `whd_${number}`,
    event: `evt_${number}`,
    event_type: 'customer.created',
    webhook_endpoint: TARGET.webhook_endpoint,
    url: TARGET.url,
    attempt: 1,
    trigger: 'automatic',
    fault: null,
    request_headers: { 'webhook-id': `evt_${number}`, note: "it's" },
    http_status: 200,
    error: null,
    error_message: null,
    duration_ms: 23,
    response_body: 'thanks',
    response_body_truncated: false,
    ...fields,
  }
}

export const FAILURE = {
  http_status: 500,
  error: 'http_status',
  error_message: 'The endpoint returned 500.',
} as const

/** A screen without a terminal, and the calls of its actions. */
export interface TestScreen {
  readonly controller: ScreenController
  readonly calls: string[]
  /** Records an event (default: about a customer). */
  readonly addEvent: (number: number, fields?: Parameters<typeof eventOf>[1]) => void
  /** Records a state of the connection (default: ready, with the target). */
  readonly connect: (fields?: Partial<Extract<ListenOutputRecord, { type: 'state' }>>) => void
  readonly type: (...keys: readonly KeyPress[]) => void
  /** Types on a terminal of another size. */
  readonly typeAt: (size: ScreenSize, ...keys: readonly KeyPress[]) => void
}

/** Creates a ready screen whose actions record their calls. */
export function createTestScreen(actions: Partial<ScreenActions> = {}): TestScreen {
  const calls: string[] = []
  const port = (name: string) => async (argument: unknown) => {
    calls.push(`${name} ${String(argument)}`)
  }
  const controller = createScreenController(
    {
      apiBase: 'http://127.0.0.1:4100',
      sandbox: null,
      triggers: [
        { type: 'customer.created', how: 'creates a customer' },
        { type: 'invoice.paid', how: 'advances a month' },
      ],
      resend: port('resend'),
      trigger: port('trigger'),
      copy: port('copy'),
      open: port('open'),
      attempts: async () => [],
      pendingAttempts: async () => [],
      quit: (isInterrupt) => void calls.push(`quit ${isInterrupt}`),
      nowMs: () => NOON_MS,
      ...actions,
    },
    (work) => work(),
  )
  const connect: TestScreen['connect'] = (fields) =>
    controller.record({ type: 'state', state: 'ready', reason: null, targets: [TARGET], ...fields })
  connect()
  return {
    controller,
    calls,
    addEvent: (number, fields) => controller.record({ type: 'event', event: eventOf(number, fields) }),
    connect,
    type(...keys) {
      for (const key of keys) controller.handleKey(key, SIZE)
    },
    typeAt(size, ...keys) {
      for (const key of keys) controller.handleKey(key, size)
    },
  }
}

/** Resolves when all settled promises have been handled. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Returns the key presses that type a string. */
export function typed(text: string): readonly KeyPress[] {
  return Array.from(text)
}

/** Returns the lines of a screen without trailing spaces. */
export function linesOf({ controller }: TestScreen, size: ScreenSize = SIZE): string[] {
  return renderFrame(controller.getState(), size).map((line) =>
    line
      .map(({ text }) => text)
      .join('')
      .trimEnd(),
  )
}

/** Returns the text of a screen. */
export function textOf(screen: TestScreen): string {
  return linesOf(screen).join('\n')
}

/** Creates a screen with a delivered, a failed and an undelivered event. */
export function screenWithThreeEvents(): TestScreen {
  const screen = createTestScreen()
  screen.addEvent(1)
  screen.controller.record(deliveryOf(1))
  screen.addEvent(2, { type: 'invoice.paid', object: { id: 'in_1' } })
  screen.controller.record(deliveryOf(2, FAILURE))
  const object = { id: 'cus_1', email: 'ada@example.org', name: 'Ada' }
  screen.addEvent(3, { type: 'customer.updated', object, before: { name: null } })
  return screen
}
