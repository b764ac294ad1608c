import { maskCardNumbers } from '../text/card-number-masking.ts'

/** One validation error of a request. `param` is a bracket path such as `subscription_data[items][0][type]`. */
export interface ValidationError {
  readonly code: string
  readonly message: string
  readonly param: string | null
}

/** A validation error before card numbers in its message are masked. */
export interface UnmaskedValidationError extends ValidationError {
  /** True when the message contains no text of the request, so that amounts in it are not masked as card numbers. */
  readonly skipMasking?: boolean
}

/**
 * Parameters that may be invalid: null stands for a value that already failed validation; omitted values are absent.
 */
export type Unvalidated<T> = T extends readonly (infer E)[]
  ? readonly (Unvalidated<E> | null)[]
  : T extends object
    ? { readonly [K in keyof T]?: Unvalidated<T[K]> | null }
    : T

export interface DomainErrorDetails {
  readonly param?: string | null
  readonly suggestion?: string | null
  readonly decline_code?: string | null
  /** The failed payment of a card error, if one was created. */
  readonly payment?: { readonly id: string; readonly object: 'payment' } | null
  readonly errors?: readonly UnmaskedValidationError[]
  /** True when the message contains no text of the request, as in `UnmaskedValidationError`. */
  readonly skipMasking?: boolean
  /** The delay before a retry in seconds of real time. */
  readonly retryAfterSeconds?: number
  /** The number of seconds by which the test clock must advance before a retry. */
  readonly advanceSeconds?: number
}

/**
 * An expected error with a code of the error catalog, and a message that names the invalid value and the fix. Card
 * numbers in the message are masked, because users paste them into the wrong field.
 */
export class DomainError extends Error {
  readonly code: string
  readonly details: DomainErrorDetails

  constructor(code: string, message: string, details: DomainErrorDetails = {}) {
    super(details.skipMasking ? message : maskCardNumbers(message))
    this.name = 'DomainError'
    this.code = code
    this.details = maskDetails(details)
  }
}

function maskDetails({ skipMasking: _, ...details }: DomainErrorDetails): DomainErrorDetails {
  const { param, errors } = details
  return {
    ...details,
    ...(param ? { param: maskCardNumbers(param) } : {}),
    ...(errors ? { errors: errors.map(maskValidationError) } : {}),
  }
}

function maskValidationError({
  code,
  message,
  param,
  skipMasking,
}: UnmaskedValidationError): ValidationError {
  return {
    code,
    message: skipMasking ? message : maskCardNumbers(message),
    param: param && maskCardNumbers(param),
  }
}

/** Throws `<object>_unexpected_state` unless the object has one of the given statuses. */
export function requireStatus<S extends string>(
  { id, object, status }: { readonly id: string; readonly object: string; readonly status: S },
  allowed: readonly S[],
  action: string,
): void {
  if (allowed.includes(status)) return
  throw new DomainError(
    `${object}_unexpected_state`,
    `Cannot ${action} ${object} '${id}': its status is ${status}, and it must be ${allowed.join(' or ')}. Check it with GET /v1/${object}s/${id}.`,
  )
}

/** Throws a `DomainError` with all validation errors, led by the first error; does nothing without errors. */
export function throwValidationErrors(errors: readonly ValidationError[]): void {
  const [first] = errors
  if (first) throw new DomainError(first.code, first.message, { param: first.param, errors })
}

/** Runs a rule and returns the `DomainError` it throws, or null. */
export function catchDomainError(rule: () => unknown): DomainError | null {
  try {
    rule()
    return null
  } catch (error) {
    if (error instanceof DomainError) return error
    throw error
  }
}

/** Runs a rule that reports at most one validation error; returns a list with this error, if any. */
export function collectValidationErrors(rule: () => unknown): ValidationError[] {
  const error = catchDomainError(rule)
  if (error === null) return []
  const { code, message, details } = error
  return [{ code, message, param: details.param ?? null }]
}
