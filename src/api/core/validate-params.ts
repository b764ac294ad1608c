import { DomainError, type Unvalidated } from '../../domain/core/domain-error.ts'
import type { Runtime } from '../../engine/runtime.ts'
import { loadReferencedTime } from '../../engine/time-reference.ts'
import { checkAgainstSchema, combineErrors } from '../schema/validate.ts'
import type { ParamRules } from './operation.ts'
import type { UnparsedParams } from './operation-request.ts'
import type { UnvalidatedParams } from './parse-params.ts'

type ValidationRuntime = Pick<Runtime, 'store' | 'wallNow' | 'requireAllowedUrl' | 'sandboxes'>

/**
 * Resolves with valid parameters, without unknown parameters if `onIgnored` is given. Rejects with one `DomainError`
 * that contains every validation error.
 */
export async function validateParams<P>(
  runtime: ValidationRuntime,
  rules: ParamRules<P>,
  { params, misplaced }: UnvalidatedParams,
  onIgnored?: UnparsedParams['onIgnored'],
): Promise<P> {
  const { wallNow, requireAllowedUrl, sandboxes } = runtime
  const { valid, known, errors, ignored } = checkAgainstSchema(params, rules.params, onIgnored !== undefined)
  if (ignored.length > 0) onIgnored?.(ignored)
  const findRuleErrors = (now: number | null) =>
    rules.validate?.(known, {
      now,
      wallNow: wallNow(),
      requireAllowedUrl,
      ...(sandboxes && { sandboxes }),
    }) ?? []
  // For a valid request, `decide` applies the rules about time, because they depend on the time of its transaction.
  if (valid !== null && misplaced.length === 0 && findRuleErrors(null).length === 0) return valid
  const now = await loadNow(runtime, rules, known)
  throw combineErrors([...misplaced, ...errors, ...findRuleErrors(now)], rules.params)
}

async function loadNow<P>(
  { store, wallNow }: ValidationRuntime,
  { loadTime }: ParamRules<P>,
  params: Unvalidated<P>,
): Promise<number | null> {
  const time = (await loadTime?.(store, params)) ?? null
  try {
    return time && (await loadReferencedTime(time, store, wallNow()))
  } catch (error) {
    // Ignore the error of an advancing clock: this request already has validation errors.
    if (error instanceof DomainError) return null
    throw error
  }
}
