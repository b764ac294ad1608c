import type { DeliveryRecord, ListenTarget } from '../../src/client/listen-records.ts'
import type { Event } from '../../src/domain/events.ts'
import { createDirection, type Direction, type ScreenPorts } from '../../src/tui/controller.ts'
import type { Press } from '../../src/tui/keymap.ts'

export const NOON_MS = new Date(2026, 0, 31, 12, 5, 9).getTime()
export const SIZE = { columns: 80, rows: 24 }
export const HOOK: ListenTarget = {
  webhook_endpoint: 'we_1',
  url: 'http://localhost:3000/hook',
  enabled_events: ['*'],
  status: 'enabled',
}

/** An event about a customer or whatever else is given. */
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

/** A delivery of an event to the hook, taken with 200 unless told otherwise. */
export function deliveryOf(number: number, fields: Partial<DeliveryRecord> = {}): DeliveryRecord {
  return {
    type: 'delivery',
    id: `whd_${number}`,
    event: `evt_${number}`,
    event_type: 'customer.created',
    webhook_endpoint: HOOK.webhook_endpoint,
    url: HOOK.url,
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

/** The failure of a delivery. */
export const BROKEN = {
  http_status: 500,
  error: 'http_status',
  error_message: 'The receiver answered 500.',
} as const

/** A screen without a terminal, and what it asked for. */
export interface Staged {
  readonly direction: Direction
  readonly asked: string[]
  readonly type: (...keys: readonly (Press['key'] | { readonly text: string })[]) => void
}

/** A ready screen; ports keep what is asked of them. */
export function stage(ports: Partial<ScreenPorts> = {}): Staged {
  const asked: string[] = []
  const ask = (what: string) => async (given: unknown) => {
    asked.push(`${what} ${String(given)}`)
  }
  const direction = createDirection(
    {
      apiBase: 'http://127.0.0.1:4100',
      triggers: [
        { type: 'customer.created', how: 'creates a customer' },
        { type: 'invoice.paid', how: 'lets a month pass' },
      ],
      resend: ask('resend'),
      trigger: ask('trigger'),
      copy: ask('copy'),
      open: ask('open'),
      attempts: async () => [],
      quit: (isInterrupt) => void asked.push(`quit ${isInterrupt}`),
      nowMs: () => NOON_MS,
      ...ports,
    },
    (work) => work(),
  )
  direction.record({ type: 'state', state: 'ready', reason: null, targets: [HOOK] })
  return {
    direction,
    asked,
    type(...keys) {
      for (const key of keys) {
        const pressed: Press = typeof key === 'string' ? { key, text: '' } : { key: 'text', text: key.text }
        direction.press(pressed, SIZE)
      }
    },
  }
}

/** A key that types. */
export function typed(text: string): { readonly text: string }[] {
  return Array.from(text, (one) => ({ text: one }))
}
