import type { DeliveryOutcome } from '../../src/cli/listen/forwarder.ts'

/** The outcome of a delivery to a handler that responded. */
export const OUTCOME: DeliveryOutcome = {
  http_status: 200,
  error: null,
  error_message: null,
  duration_ms: 3,
  response_body: 'ok',
  response_body_truncated: false,
  retry_after: null,
}
