import * as s from '../core/schema.ts'
import { maskSecretsAndCardNumbers } from '../text/secret-masking.ts'

/** The schema of a request to the API and its response, without bodies. */
export const requestLogSchema = s.resourceObject(
  'request_log',
  'A request to the API with the status of its response, without bodies. The server stores the newest 10,000 requests of the last 30 days, and 1,000 requests of listeners to /v1/stream. All times are in real time.',
  {
    method: s.text('The HTTP method.'),
    path: s.text('The path without the query, up to 500 characters.'),
    status: s.integer(
      100,
      'The status of the response. A request that a fault prevented has the status 444 if the fault closed the connection, and 499 if the client disconnected first.',
    ),
    duration_ms: s.integer(0, 'The time until the response, in milliseconds.'),
    error: s.nullable(
      s.object(
        {
          code: s.text('The error code.'),
          message: s.text('The error message, up to 500 characters.'),
          param: s.nullable(s.text('The parameter that caused the error; null for other errors.')),
        },
        'The error of the response; null after a success.',
      ),
    ),
    api_key: s.nullable(s.id('The API key of the request; null without authentication.')),
    replay_of: s.nullable(
      s.id('The request whose response was replayed; null if this request was executed.'),
    ),
    fault: s.nullable(
      s.text(
        'The fault that applied: its id, or its type if the request named it in `Paycli-Fault`; null without a fault.',
      ),
    ),
  },
)

export type RequestLog = s.ValueOf<typeof requestLogSchema>

/** The query and the bodies of a request, which are not logged but held in memory for the dashboard. */
export interface RequestTexts {
  /** The query without `?`. */
  readonly query: string
  readonly idempotency_key: string | null
  /** The body of the request, or null. */
  readonly request: string | null
  /** The body of the response; null for a stream. */
  readonly response: string | null
}

/** Maximum number of stored requests with and without a valid API key, and of requests to the streaming API. */
export const MAX_REQUEST_LOGS = { authenticated: 10_000, unauthenticated: 1000, streaming: 1000 } as const

/** The path prefix of the streaming API. Lists hide these requests, because listeners send a request per delivery. */
export const STREAM_PATH = '/v1/stream'

const MAX_CHARACTERS = 500
const MAX_CHARACTERS_READ = 2000

/**
 * Creates the log entry of a request. Truncates the strings of the client, and masks secrets and card numbers in these
 * strings.
 */
export function createRequestLog(entry: Omit<RequestLog, 'object' | 'livemode'>): RequestLog {
  const { id, created, method, path, status, duration_ms, error, api_key, replay_of, fault } = entry
  return {
    ...{ id, object: 'request_log', created, livemode: false, method },
    path: withoutSecrets(path),
    ...{ status, duration_ms },
    error: error && {
      code: error.code,
      message: withoutSecrets(error.message),
      param: error.param && withoutSecrets(error.param),
    },
    ...{ api_key, replay_of, fault },
  }
}

function withoutSecrets(text: string): string {
  // Truncate after masking, because a truncated secret or card number would not be recognized.
  const clean = maskSecretsAndCardNumbers(text.slice(0, MAX_CHARACTERS_READ))
  return (clean.length > MAX_CHARACTERS ? `${clean.slice(0, MAX_CHARACTERS)}…` : clean).toWellFormed()
}
