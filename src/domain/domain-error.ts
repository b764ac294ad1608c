import { maskCardNumbers } from './card-numbers.ts'

/** One thing wrong with a request; `param` is a bracket path such as `subscription_data[items][0][type]`. */
export interface ValidationError {
  readonly code: string
  readonly message: string
  readonly param: string | null
}

/** A problem before card numbers in its message are masked. */
export interface UnmaskedValidationError extends ValidationError {
  /** Whether the message repeats no text that was sent, so that the amounts in it are not taken for card numbers. */
  readonly isSafe?: boolean
}

/**
 * What somebody sent, of which some may be wrong: null stands for a value that was refused already, and what was left out
 * is absent.
 */
export type Doubtful<T> = T extends readonly (infer E)[]
  ? readonly (Doubtful<E> | null)[]
  : T extends object
    ? { readonly [K in keyof T]?: Doubtful<T[K]> | null }
    : T

export interface DomainErrorDetails {
  readonly param?: string | null
  readonly suggestion?: string | null
  readonly decline_code?: string | null
  /** The failed attempt a card error tells of, where one was made. */
  readonly payment?: { readonly id: string; readonly object: 'payment' } | null
  readonly errors?: readonly UnmaskedValidationError[]
  /** As of a problem. */
  readonly isSafe?: boolean
  /** After how long it may be tried again, in real time. */
  readonly retryAfterSeconds?: number
  /** How far its test clock must go before it may be tried again: waiting does not move one. */
  readonly advanceSeconds?: number
}

/**
 * An expected no: a code of the error catalogue and a message that names what was given and what to try next, except
 * card numbers: people paste them into the wrong place.
 */
export class DomainError extends Error {
  readonly code: string
  readonly details: DomainErrorDetails

  constructor(code: string, message: string, details: DomainErrorDetails = {}) {
    super(details.isSafe ? message : maskCardNumbers(message))
    this.name = 'Refusal'
    this.code = code
    this.details = masked(details)
  }
}

function masked({ isSafe: _, ...details }: DomainErrorDetails): DomainErrorDetails {
  const { param, errors } = details
  return {
    ...details,
    ...(param ? { param: maskCardNumbers(param) } : {}),
    ...(errors ? { errors: errors.map(maskedProblem) } : {}),
  }
}

function maskedProblem({ code, message, param, isSafe = false }: UnmaskedValidationError): ValidationError {
  return {
    code,
    message: isSafe ? message : maskCardNumbers(message),
    param: param && maskCardNumbers(param),
  }
}

/** Refuses with every problem there is, the first one leading; does nothing when there is none. */
export function refuseProblems(problems: readonly ValidationError[]): void {
  const [first] = problems
  if (first) throw new DomainError(first.code, first.message, { param: first.param, errors: problems })
}

/** How a rule refuses; null when it lets pass. */
export function refusalBy(rule: () => unknown): DomainError | null {
  try {
    rule()
    return null
  } catch (error) {
    if (error instanceof DomainError) return error
    throw error
  }
}

/** What a rule refuses that knows one problem at most; nothing when it lets pass. */
export function problemsOf(rule: () => unknown): ValidationError[] {
  const refusal = refusalBy(rule)
  if (refusal === null) return []
  const { code, message, details } = refusal
  return [{ code, message, param: details.param ?? null }]
}
