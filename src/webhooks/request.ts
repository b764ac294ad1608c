import type { Event } from '../domain/events.ts'
import { signatureHeaders } from './sign.ts'

/** One POST to a receiver. */
export interface DeliveryRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface DeliveryContents {
  readonly url: string
  readonly event: Event
  /** Every secret in force, the newest first. */
  readonly secrets: readonly string[]
  /** When it is sent, in Unix seconds. */
  readonly timestamp: number
}

/** The POST that hands over an event: a body that is the same on every attempt, signed anew with the time of sending. */
export function deliveryRequest({ url, event, secrets, timestamp }: DeliveryContents): DeliveryRequest {
  const body = JSON.stringify(event)
  return {
    url,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'paycli/1 (webhooks)',
      'accept-encoding': 'identity',
      ...signatureHeaders({ id: event.id, secrets, body, timestamp }),
    },
    body,
  }
}
