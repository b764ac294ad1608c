import type { ValidationError } from './domain-error.ts'
import { maskSecrets } from './secret-masking.ts'

/** A request to the API and its response, without bodies. */
export interface RequestLog {
  /** The request id of the response. */
  readonly id: string
  readonly object: 'request_log'
  /** Time of the response, in Unix seconds of wall time. */
  readonly created: number
  readonly livemode: false
  readonly method: string
  /** Without the query string. */
  readonly path: string
  readonly status: number
  readonly duration_ms: number
  /** The error of the response; null for a success. */
  readonly error: ValidationError | null
  /** The id of the API key; null without a valid key. */
  readonly api_key: string | null
  /** The id of the first request with the same idempotency key, when this request is a replay. */
  readonly replay_of: string | null
}

/** Maximum number of stored requests, with and without a valid API key. */
export const MAX_REQUEST_LOGS = { authenticated: 10_000, unauthenticated: 1000 } as const

const MAX_CHARACTERS = 500
const MAX_CHARACTERS_READ = 2000

/** Creates the log entry of a request. Client texts are truncated, and secrets and card numbers in them masked. */
export function createRequestLog(entry: Omit<RequestLog, 'object' | 'livemode'>): RequestLog {
  const { id, created, method, path, status, duration_ms, error, api_key, replay_of } = entry
  return {
    ...{ id, object: 'request_log', created, livemode: false, method },
    path: withoutSecrets(path),
    ...{ status, duration_ms },
    error: error && {
      code: error.code,
      message: withoutSecrets(error.message),
      param: error.param && withoutSecrets(error.param),
    },
    ...{ api_key, replay_of },
  }
}

function withoutSecrets(text: string): string {
  // Truncate after masking, because a truncated secret or card number would not be recognized.
  const clean = maskSecrets(text.slice(0, MAX_CHARACTERS_READ))
  return (clean.length > MAX_CHARACTERS ? `${clean.slice(0, MAX_CHARACTERS)}…` : clean).toWellFormed()
}
