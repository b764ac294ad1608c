import { DomainError, type ValidationError } from '../../src/domain/core/domain-error.ts'

/** The fields of an expected error. */
export interface CaughtError {
  readonly code: string
  readonly message: string
  readonly param: string | null
  readonly suggestion: string | null
  readonly errors: readonly ValidationError[]
  readonly details: DomainError['details']
}

/** Resolves with the domain error of a call; throws when the call succeeds. */
export async function catchDomainError(call: Promise<unknown> | (() => unknown)): Promise<CaughtError> {
  try {
    await (typeof call === 'function' ? call() : call)
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const { code, message, details } = error
    const { param = null, suggestion = null, errors } = details
    return { code, message, param, suggestion, errors: errors ?? [{ code, message, param }], details }
  }
  throw new Error('expected a refusal, but it succeeded')
}
