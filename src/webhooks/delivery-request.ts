import type { Event } from '../domain/events/events.ts'
import { API_VERSION } from '../domain/requests/api-version.ts'
import { createSignatureHeaders, type SignatureOptions } from './sign.ts'

/** The POST request of a delivery. */
export interface DeliveryRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface DeliveryRequestOptions extends Pick<SignatureOptions, 'secrets' | 'timestamp'> {
  /** The name or the id of the sandbox; null for the default sandbox. */
  readonly sandbox?: string | null
}

/** Creates the request that delivers a signed event. The body is the same in every attempt. */
export function createDeliveryRequest(
  url: string,
  event: Event,
  { secrets, timestamp, sandbox = null }: DeliveryRequestOptions,
): DeliveryRequest {
  const body = JSON.stringify(event)
  return {
    url,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': `paycli/${API_VERSION} (webhooks)`,
      'accept-encoding': 'identity',
      ...(sandbox === null ? {} : { 'paycli-sandbox': toHeaderValue(sandbox) }),
      ...createSignatureHeaders({ id: event.id, secrets, body, timestamp }),
    },
    body,
  }
}

/**
 * Encodes a string as a header value that `decodeURIComponent` decodes. Escapes percent signs, spaces at the ends, and
 * all characters other than printable ASCII.
 */
function toHeaderValue(text: string): string {
  return text.toWellFormed().replaceAll(/^ | $|%|[^ -~]/gu, encodeURIComponent)
}
