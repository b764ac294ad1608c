import type { Event } from '../../api/index.ts'
import type { CheckCase, CheckResponse } from '../webhook-tools/handler-check.ts'

/** A signed webhook request. */
export interface SignedRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A test case of `paycli webhooks check`. */
export interface HandlerCase extends CheckCase {
  readonly request: SignedRequest
}

/** Functions of the webhook layer, which the command provides. */
export interface HandlerTestClient {
  /** Creates the deliveries of `paycli webhooks check` from an event. */
  readonly createCases: (url: string, secret: string, event: Event) => readonly HandlerCase[]
  /** Signs an event with the current time. */
  readonly sign: (url: string, secret: string, event: Event) => SignedRequest
  readonly send: (request: SignedRequest) => Promise<CheckResponse>
  readonly newEventId: () => string
}
