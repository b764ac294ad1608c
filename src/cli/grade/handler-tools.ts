import type { Event, WebhookDelivery } from '../../api/index.ts'

/** A signed webhook request. */
export interface SignedRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A test case of `paycli webhooks check`. */
export interface HandlerCase {
  readonly name: string
  readonly description: string
  readonly shouldAccept: boolean
  readonly isWarning: boolean
  readonly advice: string
  readonly request: SignedRequest
}

export type HandlerResponse = Pick<WebhookDelivery, 'http_status' | 'error' | 'error_message'> & {
  readonly duration_ms: number
}

/** The tools of the webhook layer, which the command passes on. */
export interface HandlerTools {
  /** Creates the deliveries of `paycli webhooks check` from an event. */
  readonly createCases: (url: string, secret: string, event: Event) => readonly HandlerCase[]
  /** Signs an event with the current time. */
  readonly sign: (url: string, secret: string, event: Event) => SignedRequest
  readonly send: (request: SignedRequest) => Promise<HandlerResponse>
  readonly newEventId: () => string
}

/** Returns whether a response accepts a delivery. */
export function isAccepted({ http_status }: Pick<HandlerResponse, 'http_status'>): boolean {
  return http_status !== null && http_status >= 200 && http_status < 300
}
