import { DomainError, type ValidationError } from '../../domain/domain-error.ts'
import { resolveTime } from '../../engine/effective-time.ts'
import type { Runtime } from '../../engine/runtime.ts'
import { combineErrors, findSchemaErrors, matchesSchema } from '../schema/validate.ts'
import type { AnyOperation, ValidationContext } from './operation.ts'

/** Parameters of a request before validation. */
export interface RawParams {
  readonly params: object
  /** Errors for parameters in the wrong part of the request, such as the query of a POST. */
  readonly misplaced: readonly ValidationError[]
}

/** The validation rules of an operation or a stream route. */
export type ParamRules = Pick<AnyOperation, 'params' | 'validate' | 'loadTime'>
type ValidationRuntime = Pick<Runtime, 'store' | 'wallNow' | 'requireAllowedUrl'>

/** Throws one `DomainError` with every validation error, before any object that the parameters name is loaded. */
export async function requireValidParams(
  runtime: ValidationRuntime,
  rules: ParamRules,
  raw: RawParams,
): Promise<void> {
  if (!isValid(runtime, rules, raw)) throw await toDomainError(runtime, rules, raw)
}

// Most requests are valid: one check without a copy keeps them fast.
function isValid(
  runtime: ValidationRuntime,
  { params: schema, validate }: ParamRules,
  { params, misplaced }: RawParams,
): boolean {
  if (misplaced.length > 0 || !matchesSchema(params, schema)) return false
  return validate === undefined || validate(params as never, createContext(runtime, null)).length === 0
}

async function toDomainError(
  runtime: ValidationRuntime,
  rules: ParamRules,
  { params, misplaced }: RawParams,
): Promise<DomainError> {
  const { errors, validParams } = findSchemaErrors(params, rules.params)
  const now = await loadNow(runtime, rules, validParams)
  const ruleErrors = rules.validate?.(validParams as never, createContext(runtime, now)) ?? []
  return combineErrors([...misplaced, ...errors, ...ruleErrors], rules.params)
}

async function loadNow(
  { store, wallNow }: ValidationRuntime,
  { loadTime }: ParamRules,
  params: object,
): Promise<number | null> {
  const time = (await loadTime?.(store, params as never)) ?? null
  try {
    return time && (await resolveTime(time, store, wallNow()))
  } catch (error) {
    // An advancing clock is an error of valid requests only: this request already has validation errors.
    if (error instanceof DomainError) return null
    throw error
  }
}

function createContext(
  { wallNow, requireAllowedUrl }: ValidationRuntime,
  now: number | null,
): ValidationContext {
  return { now, wallNow: wallNow(), requireAllowedUrl }
}
