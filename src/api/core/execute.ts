import type { ClockRequest } from '../../domain/advances.ts'
import { DomainError, type ValidationError } from '../../domain/domain-error.ts'
import type { Trigger } from '../../engine/commit.ts'
import { commitAfterDueJobs } from '../../engine/real-time.ts'
import type { Runtime } from '../../engine/runtime.ts'
import { parseQuery } from '../schema/query.ts'
import { withoutUnknown } from '../schema/validate.ts'
import type { AnyOperation } from './operation.ts'
import { type ParamRules, type RawParams, requireValidParams } from './validate-params.ts'

const MAX_JSON_DEPTH = 32
/** Limits the work of validation; the largest valid body has about 1000 values. */
const MAX_JSON_VALUES = 2_000
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** A request to one operation. */
export interface OperationCall {
  readonly operation: AnyOperation
  /** The `:id` of the path; undefined for a path without one. */
  readonly id: string | undefined
  /** The query string without its question mark. */
  readonly search: string
  /** The parsed JSON body; undefined for a request without one. */
  readonly body: unknown
  readonly requestId: string
  /** Called with the unknown parameters, which are then ignored; by default they are an error. */
  readonly onIgnored?: (params: readonly string[]) => void
}

/** The part of a call that holds parameters, for an operation or a stream route. */
export interface RouteCall extends Pick<OperationCall, 'id' | 'search' | 'body' | 'onIgnored'> {
  readonly operation: ParamRules & Pick<AnyOperation, 'method' | 'nulls'>
}

/** Validates and executes a call. Resolves when its changes are durable; throws `DomainError` for an expected error. */
export async function execute(runtime: Runtime, call: OperationCall): Promise<unknown> {
  const { operation } = call
  const params = await validateParams(runtime, call, readParams(call))
  // `AnyOperation` has no parameter types, but the parameters were validated above.
  if (operation.kind === 'lookup') return await operation.load(runtime.store, params as never)
  const clockRequest = { request: { id: call.requestId, idempotency_key: null }, keyed: null }
  const result = await commitAfterDueJobs(runtime, toTrigger(runtime, operation, params, clockRequest))
  return operation.kind === 'procedure' ? operation.finish(runtime, result as never) : result
}

/** Returns the trigger of an operation's first transaction, for validated parameters. */
export function toTrigger(
  runtime: Runtime,
  { load, when, decide }: ChangingOperation,
  params: object,
  clockRequest: ClockRequest,
): Trigger<unknown, unknown> {
  const typed = params as never
  const { newWebhookSecret, newApiKey, requireAllowedUrl } = runtime
  const context = { wallNow: runtime.wallNow(), newWebhookSecret, newApiKey, requireAllowedUrl, clockRequest }
  return {
    request: clockRequest.request,
    load: (reader) => load(reader, typed, context),
    when: (loaded) => when(loaded as never, typed),
    decide: (loaded, ruleContext) => decide(loaded as never, typed, ruleContext),
  }
}

/** Returns validated parameters, without unknown ones if `onIgnored` is set; throws `DomainError` for invalid ones. */
export async function validateParams(
  runtime: Runtime,
  { operation, onIgnored }: RouteCall,
  raw: RawParams,
): Promise<object> {
  if (onIgnored === undefined) {
    await requireValidParams(runtime, operation, raw)
    return raw.params
  }
  const { known, ignored } = withoutUnknown(raw.params, operation.params)
  if (ignored.length > 0) onIgnored(ignored)
  await requireValidParams(runtime, operation, { params: known, misplaced: raw.misplaced })
  return known
}

/** An operation that changes objects. */
export type ChangingOperation = Exclude<AnyOperation, { readonly kind: 'lookup' }>

/** Returns the unvalidated parameters of path, query and body; throws `DomainError` for a malformed body. */
export function readParams(call: RouteCall): RawParams {
  const { operation, search, id } = call
  const isPost = operation.method === 'POST'
  const params = isPost ? readBody(call) : parseQuery(search, operation.params)
  const misplaced = isPost && search !== '' ? checkPostQuery(call) : NO_ERRORS
  if (id === undefined) return { params, misplaced }
  const isDuplicate = Object.hasOwn(params, 'id')
  return {
    params: { ...params, id },
    misplaced: isDuplicate ? [...checkDuplicateId(call), ...misplaced] : misplaced,
  }
}

const NO_ERRORS: readonly ValidationError[] = []
const MAX_REPORTED_PARAMS = 100

function checkDuplicateId({ onIgnored }: RouteCall): readonly ValidationError[] {
  if (onIgnored === undefined) {
    const message = 'Unknown parameter: id. The id is already in the path.'
    return [{ code: 'parameter_unknown', param: 'id', message }]
  }
  onIgnored(['id'])
  return NO_ERRORS
}

function checkPostQuery({ search, onIgnored }: RouteCall): readonly ValidationError[] {
  const names = [...new Set(new URLSearchParams(search).keys())]
  if (onIgnored === undefined) {
    return names.slice(0, MAX_REPORTED_PARAMS).map((param) => {
      const message = `Unknown query parameter: ${param}. A POST takes its parameters in the JSON body.`
      return { code: 'parameter_unknown', param, message }
    })
  }
  if (names.length > 0) onIgnored(names)
  return NO_ERRORS
}

function readBody({ operation, body }: RouteCall): Record<string, unknown> {
  if (body === undefined) return {}
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new DomainError(
      'invalid_json',
      'The body must be one JSON object, such as {"email":"ada@example.com"}.',
    )
  }
  checkStructure(body)
  return operation.nulls === 'absent' ? withoutNulls(body) : { ...body }
}

// Checks level by level: nothing may recurse into the body before its depth is known.
function checkStructure(body: object): void {
  let level: object[] = [body]
  let count = 0
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > MAX_JSON_DEPTH) {
      throw new DomainError('invalid_json', `The body is nested deeper than ${MAX_JSON_DEPTH} levels.`)
    }
    for (const value of level) {
      const keys = Object.keys(value)
      count += keys.length
      if (count > MAX_JSON_VALUES) {
        throw new DomainError('invalid_json', `The body has more than ${MAX_JSON_VALUES} values. Send fewer.`)
      }
      if (!Array.isArray(value)) rejectForbiddenKeys(keys)
    }
    level = level.flatMap((value) =>
      Object.values(value).filter((inner) => typeof inner === 'object' && inner !== null),
    )
  }
}

function rejectForbiddenKeys(keys: readonly string[]): void {
  const forbidden = keys.find((key) => FORBIDDEN_KEYS.has(key))
  if (forbidden === undefined) return
  throw new DomainError('invalid_json', `The key '${forbidden}' is not allowed in a body.`)
}

function withoutNulls(value: object): Record<string, unknown> {
  // `typeof null` is 'object'.
  if (Object.values(value).every((inner) => typeof inner !== 'object')) return { ...value }
  const kept = Object.entries(value).filter(([, inner]) => inner !== null)
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutInnerNulls(inner)]))
}

function withoutInnerNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutInnerNulls)
  return typeof value === 'object' && value !== null ? withoutNulls(value) : value
}
