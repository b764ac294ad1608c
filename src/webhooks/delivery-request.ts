import type { Event } from '../domain/events.ts'
import { createSignatureHeaders } from './sign.ts'

/** The POST request of a delivery. */
export interface DeliveryRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * Creates the request that delivers an event, signed with all valid secrets (the newest first) at a time in Unix seconds. The
 * body is the same in every attempt.
 */
export function createDeliveryRequest(
  url: string,
  event: Event,
  secrets: readonly string[],
  timestamp: number,
): DeliveryRequest {
  const body = JSON.stringify(event)
  return {
    url,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'paycli/1 (webhooks)',
      'accept-encoding': 'identity',
      ...createSignatureHeaders({ id: event.id, secrets, body, timestamp }),
    },
    body,
  }
}
