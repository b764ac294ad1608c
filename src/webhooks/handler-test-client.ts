import type { Event } from '../domain/events/events.ts'
import { createDeliveryRequest } from './delivery-request.ts'
import { createHandlerTestCases } from './handler-test-cases.ts'
import { createSender, type SenderOptions } from './send.ts'
import { createTargetGuard } from './ssrf-guard.ts'

export interface HandlerTestClientOptions extends Pick<SenderOptions, 'nowMs' | 'timeoutMs'> {
  readonly newEventId: () => string
}

/** Creates tools that test a webhook handler: test cases, signatures with the current time, and a sender to close. */
export function createHandlerTestClient({ newEventId, ...options }: HandlerTestClientOptions) {
  const guard = createTargetGuard({ isPublicOnly: false, allowed: [], ownPorts: [] })
  const now = () => Math.floor(options.nowMs() / 1000)
  return {
    newEventId,
    createCases: (url: string, secret: string, event: Event) =>
      createHandlerTestCases({ url, secret, event, newId: newEventId, now: now() }),
    sign: (url: string, secret: string, event: Event) =>
      createDeliveryRequest(url, event, { secrets: [secret], timestamp: now() }),
    ...createSender({ ...options, guard }),
  }
}
