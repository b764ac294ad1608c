import type { Outcome } from '../../../src/cli/listen/delivery-process.ts'

/** What came of a request that a handler answered. */
export const OUTCOME: Outcome = {
  http_status: 200,
  error: null,
  error_message: null,
  duration_ms: 3,
  response_body: 'ok',
  response_body_truncated: false,
  retry_after: null,
}
