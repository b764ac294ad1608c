import type { ValidationError } from './domain-error.ts'
import { maskSecrets } from './masking.ts'

/** A request to the API and how it was answered; its body is kept nowhere. */
export interface RequestLog {
  /** The id that the answer named. */
  readonly id: string
  readonly object: 'request_log'
  /** When it was answered, in Unix seconds of wall time. */
  readonly created: number
  readonly livemode: false
  readonly method: string
  /** Without its query. */
  readonly path: string
  readonly status: number
  readonly duration_ms: number
  /** What an error answer told; null for a success. */
  readonly error: ValidationError | null
  /** The id of the key that opened the API; null when none did. */
  readonly api_key: string | null
  /** The id of the request that was carried out, when this one only repeated it with its idempotency key. */
  readonly replay_of: string | null
}

/** How many requests are remembered, with a valid key and without. */
export const MAX_REQUEST_LOGS = { authenticated: 10_000, unauthenticated: 1000 } as const

const MAX_CHARACTERS = 500
const MAX_CHARACTERS_READ = 2000

/** The entry of a request: what a client wrote is cut, and secrets and card numbers are taken out of it. */
export function createRequestLog(seen: Omit<RequestLog, 'object' | 'livemode'>): RequestLog {
  const { id, created, method, path, status, duration_ms, error, api_key, replay_of } = seen
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
  // Cut twice, so that the second cut cannot leave a part of a number or a secret that is no longer known as one.
  const clean = maskSecrets(text.slice(0, MAX_CHARACTERS_READ))
  return (clean.length > MAX_CHARACTERS ? `${clean.slice(0, MAX_CHARACTERS)}…` : clean).toWellFormed()
}
