import type { Event } from '../../src/domain/events/events.ts'
import type { WebhookDelivery } from '../../src/domain/events/webhook-deliveries.ts'
import type { RequestLog } from '../../src/domain/requests/request-logs.ts'
import { SAMPLES } from '../store/samples.ts'

/** The real time of the samples, in Unix seconds. */
export const NOW = 1_700_000_000

/** Returns an event; the id follows from its sequence. */
export function eventWith(sequence: number, fields: Partial<Event> = {}): Event {
  return { ...SAMPLES.events, id: `evt_${sequence}`, sequence, created: NOW, ...fields }
}

/** Returns the request of an event. */
export function causedBy(id: string): Event['request'] {
  return { id, idempotency_key: null }
}

/** Returns the log of a request. */
export function requestWith(id: string, fields: Partial<RequestLog> = {}): RequestLog {
  return { ...SAMPLES.request_logs, id, created: NOW, ...fields }
}

/** Returns a successful delivery attempt. */
export function deliveryWith(id: string, fields: Partial<WebhookDelivery> = {}): WebhookDelivery {
  const settled = { status: 'succeeded', http_status: 200, duration_ms: 10, next_attempt_at: null } as const
  return {
    ...{ ...SAMPLES.webhook_deliveries, ...settled, error: null, error_message: null },
    ...{
      id,
      event: 'evt_1',
      webhook_endpoint: 'we_1',
      created: NOW,
      attempt: 1,
      trigger: 'automatic',
      fault: null,
    },
    ...fields,
  }
}
