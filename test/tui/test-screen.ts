import type { DeliveryRecord, ListenTarget } from '../../src/client/listen-records.ts'
import type { Event } from '../../src/domain/events.ts'
import {
  createScreenController,
  type ScreenActions,
  type ScreenController,
} from '../../src/tui/controller.ts'
import type { KeyPress } from '../../src/tui/keymap.ts'

export const NOON_MS = new Date(2026, 0, 31, 12, 5, 9).getTime()
export const SIZE = { columns: 80, rows: 24 }
export const TARGET: ListenTarget = {
  webhook_endpoint: 'we_1',
  url: 'http://localhost:3000/hook',
  enabled_events: ['*'],
  status: 'enabled',
}

/** Creates an event (default: about a customer). */
export function eventOf(
  number: number,
  fields: { type?: string; object?: object; before?: object } = {},
): Event {
  const { type = 'customer.created', object = { id: 'cus_1', email: 'ada@example.com' }, before } = fields
  return {
    id: `evt_${number}`,
    object: 'event',
    type,
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
  error_message: 'The receiver answered 500.',
} as const

/** A screen without a terminal, and the calls of its actions. */
export interface TestScreen {
  readonly controller: ScreenController
  readonly calls: string[]
  readonly type: (...keys: readonly KeyPress[]) => void
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
      triggers: [
        { type: 'customer.created', how: 'creates a customer' },
        { type: 'invoice.paid', how: 'advances a month' },
      ],
      resend: port('resend'),
      trigger: port('trigger'),
      copy: port('copy'),
      open: port('open'),
      attempts: async () => [],
      quit: (isInterrupt) => void calls.push(`quit ${isInterrupt}`),
      nowMs: () => NOON_MS,
      ...actions,
    },
    (work) => work(),
  )
  controller.record({ type: 'state', state: 'ready', reason: null, targets: [TARGET] })
  return {
    controller,
    calls,
    type(...keys) {
      for (const key of keys) controller.handleKey(key, SIZE)
    },
  }
}

/** Returns the key presses that type a text. */
export function typed(text: string): readonly KeyPress[] {
  return Array.from(text)
}
