import type { Asking } from '../../domain/advances.ts'
import { DomainError, type ValidationError } from '../../domain/domain-error.ts'
import type { Trigger } from '../../engine/commit.ts'
import { commitInTime } from '../../engine/real-time.ts'
import type { Runtime } from '../../engine/runtime.ts'
import { parseQuery } from '../schema/query.ts'
import { withoutUnknown } from '../schema/validate.ts'
import { type Given, type Judged, requireSound } from './faults.ts'
import type { AnyOperation } from './operation.ts'

const MAX_JSON_DEPTH = 32
/** The largest body that any operation could take has about a thousand; all problems of one are told, which takes time. */
const MAX_JSON_VALUES = 2_000
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** A call of one operation, as it came over the wire. */
export interface Call {
  readonly operation: AnyOperation
  /** The `:id` of the path, where it has one. */
  readonly id: string | undefined
  /** The query string without its question mark. */
  readonly search: string
  /** The parsed JSON body, undefined when there was none. */
  readonly body: unknown
  readonly requestId: string
  /** Hears of parameters that are not known and so ignored; without it they are refused. */
  readonly onIgnored?: (params: readonly string[]) => void
}

/** What of a call its parameters are read from; also of a route beside the operations. */
export interface Asked extends Pick<Call, 'id' | 'search' | 'body' | 'onIgnored'> {
  readonly operation: Judged & Pick<AnyOperation, 'method' | 'nulls'>
}

/** Carries out a call: validated, decided and durable when it resolves; rejects with a `Refusal` for an expected no. */
export async function execute(runtime: Runtime, call: Call): Promise<unknown> {
  const { operation } = call
  const params = await checkParams(runtime, call, readParams(call))
  // A table of operations forgets their types; `validate` has just made sure of these.
  if (operation.kind === 'lookup') return await operation.load(runtime.store, params as never)
  const asking = { request: { id: call.requestId, idempotency_key: null }, keyed: null }
  const decided = await commitInTime(runtime, triggerOf(runtime, operation, { params, asking }))
  return operation.kind === 'procedure' ? operation.finish(runtime, decided as never) : decided
}

/** The one transaction of a change, or the first of many; the parameters must have been validated. */
export function triggerOf(
  runtime: Runtime,
  { load, when, decide }: Changing,
  { params, asking }: { readonly params: object; readonly asking: Asking },
): Trigger<unknown, unknown> {
  const typed = params as never
  const { newWebhookSecret, newApiKey, requireTarget } = runtime
  const context = { wallNow: runtime.wallNow(), newWebhookSecret, newApiKey, requireTarget, asking }
  return {
    request: asking.request,
    load: (reader) => load(reader, typed, context),
    when: (loaded) => when(loaded as never, typed),
    decide: (loaded, ruleContext) => decide(loaded as never, typed, ruleContext),
  }
}

/** The parameters as the operation may have them; refuses those that are wrong. */
export async function checkParams(
  runtime: Runtime,
  { operation, onIgnored }: Asked,
  given: Given,
): Promise<object> {
  if (onIgnored === undefined) {
    await requireSound(runtime, operation, given)
    return given.params
  }
  const { known, ignored } = withoutUnknown(given.params, operation.params)
  if (ignored.length > 0) onIgnored(ignored)
  await requireSound(runtime, operation, { params: known, strays: given.strays })
  return known
}

/** An operation that changes something. */
export type Changing = Exclude<AnyOperation, { readonly kind: 'lookup' }>

/** The parameters of path, query and body, not judged yet; refuses a body that is not one JSON object of sane shape. */
export function readParams(call: Asked): Given {
  const { operation, search, id } = call
  const isPost = operation.method === 'POST'
  const params = isPost ? readBody(call) : parseQuery(search, operation.params)
  const strays = isPost && search !== '' ? strayQuery(call) : NO_STRAYS
  if (id === undefined) return { params, strays }
  const isTwice = Object.hasOwn(params, 'id')
  return { params: { ...params, id }, strays: isTwice ? [...strayId(call), ...strays] : strays }
}

const NO_STRAYS: readonly ValidationError[] = []
const MAX_STRAYS_TOLD = 100

function strayId({ onIgnored }: Asked): readonly ValidationError[] {
  if (onIgnored === undefined) {
    const message = 'Unknown parameter: id. The id is already in the path.'
    return [{ code: 'parameter_unknown', param: 'id', message }]
  }
  onIgnored(['id'])
  return NO_STRAYS
}

function strayQuery({ search, onIgnored }: Asked): readonly ValidationError[] {
  const names = [...new Set(new URLSearchParams(search).keys())]
  if (onIgnored === undefined) {
    return names.slice(0, MAX_STRAYS_TOLD).map((param) => {
      const message = `Unknown query parameter: ${param}. A POST takes its parameters in the JSON body.`
      return { code: 'parameter_unknown', param, message }
    })
  }
  if (names.length > 0) onIgnored(names)
  return NO_STRAYS
}

function readBody({ operation, body }: Asked): Record<string, unknown> {
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

// Depth and number are checked level by level, before anything recurses into the body or collects its problems.
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
        throw new DomainError('invalid_json', `The body has more than ${MAX_JSON_VALUES} values. Send less.`)
      }
      if (!Array.isArray(value)) refuseForbiddenKeys(keys)
    }
    level = level.flatMap((value) =>
      Object.values(value).filter((inner) => typeof inner === 'object' && inner !== null),
    )
  }
}

function refuseForbiddenKeys(keys: readonly string[]): void {
  const forbidden = keys.find((key) => FORBIDDEN_KEYS.has(key))
  if (forbidden === undefined) return
  throw new DomainError('invalid_json', `The key '${forbidden}' is not allowed in a body.`)
}

function withoutNulls(value: object): Record<string, unknown> {
  // Null is an object too.
  if (Object.values(value).every((inner) => typeof inner !== 'object')) return { ...value }
  const kept = Object.entries(value).filter(([, inner]) => inner !== null)
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutInnerNulls(inner)]))
}

function withoutInnerNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutInnerNulls)
  return typeof value === 'object' && value !== null ? withoutNulls(value) : value
}
