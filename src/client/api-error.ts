import type { ValidationError } from '../domain/domain-error.ts'
import { type Fields, isFields } from './fields.ts'

/** The `error` object of an answer, as far as a client relies on it. */
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
  /** The whole failed payment, on card errors that made one. */
  readonly payment: unknown
}

/** The service's no: an error of its catalogue with the status it came with. */
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

/** Reads an error answer; null when the body is not one of the service's own. */
export function readApiError(status: number, body: Fields): ApiError | null {
  const { error } = body
  if (!isFields(error)) return null
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
    errors: Array.isArray(error['errors']) ? error['errors'].filter(isProblem) : [],
    suggestion: text('suggestion'),
    doc_url: text('doc_url'),
    request_id: text('request_id'),
    decline_code: text('decline_code'),
    payment: error['payment'] ?? null,
  })
}

function isProblem(value: unknown): value is ValidationError {
  if (!isFields(value)) return false
  const { code, message, param } = value
  return (
    typeof code === 'string' && typeof message === 'string' && (typeof param === 'string' || param === null)
  )
}
