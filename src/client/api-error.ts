import type { ValidationError } from '../domain/core/domain-error.ts'
import { isJsonObject, type JsonObject } from '../domain/core/json-object.ts'

/** The `error` object of an error response. */
export interface ApiErrorDetails {
  readonly type: string
  readonly code: string
  readonly message: string
  readonly param: string | null
  readonly errors: readonly ValidationError[]
  readonly suggestion: string | null
  readonly doc_url: string | null
  readonly request_id: string | null
  readonly decline_code: string | null
  /** The failed payment of a card error, if the attempt created one. */
  readonly payment: unknown
}

/** An error response of the API. */
export class ApiError extends Error {
  readonly status: number
  readonly error: ApiErrorDetails

  constructor(status: number, error: ApiErrorDetails) {
    super(error.message)
    this.name = 'ApiError'
    this.status = status
    this.error = error
  }
}

/** Returns the error of a response body, or null when the body is not an API error. */
export function parseApiError(status: number, body: JsonObject): ApiError | null {
  const { error } = body
  if (!isJsonObject(error)) return null
  const { type, code, message } = error
  if (typeof type !== 'string' || typeof code !== 'string' || typeof message !== 'string') return null
  const text = (name: string): string | null => {
    const value = error[name]
    return typeof value === 'string' ? value : null
  }
  return new ApiError(status, {
    type,
    code,
    message,
    param: text('param'),
    errors: Array.isArray(error['errors']) ? error['errors'].filter(isValidationError) : [],
    suggestion: text('suggestion'),
    doc_url: text('doc_url'),
    request_id: text('request_id'),
    decline_code: text('decline_code'),
    payment: error['payment'] ?? null,
  })
}

function isValidationError(value: unknown): value is ValidationError {
  if (!isJsonObject(value)) return false
  const { code, message, param } = value
  return (
    typeof code === 'string' && typeof message === 'string' && (typeof param === 'string' || param === null)
  )
}
