import type { Asking } from '../domain/advances.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Trigger } from '../engine/commit.ts'
import { commitInTime } from '../engine/real-time.ts'
import type { Runtime } from '../engine/runtime.ts'
import type { AnyOperation } from './operation.ts'
import { parseQuery } from './query.ts'
import { validate, withoutUnknown } from './validate.ts'

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

/** Carries out a call: validated, decided and durable when it resolves; rejects with a `Refusal` for an expected no. */
export async function execute(runtime: Runtime, call: Call): Promise<unknown> {
  const { operation } = call
  const params = checkParams(call, readParams(call))
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
    decide: (loaded, world) => decide(loaded as never, typed, world),
  }
}

/** The parameters as the operation may have them; refuses those that do not fit its schema. */
export function checkParams({ operation, onIgnored }: Call, given: object): object {
  if (onIgnored === undefined) {
    validate(given, operation.params)
    return given
  }
  const { known, ignored } = withoutUnknown(given, operation.params)
  if (ignored.length > 0) onIgnored(ignored)
  validate(known, operation.params)
  return known
}

/** An operation that changes something. */
export type Changing = Exclude<AnyOperation, { readonly kind: 'lookup' }>

/** The parameters of path, query and body, not validated yet; refuses a body that is not one JSON object of sane shape. */
export function readParams(call: Call): Record<string, unknown> {
  const { operation, search, id } = call
  const given = operation.method === 'POST' ? readBody(call) : parseQuery(search, operation.params)
  if (id === undefined) return given
  if ('id' in given) {
    if (call.onIgnored !== undefined) {
      call.onIgnored(['id'])
      return { ...given, id }
    }
    throw new Refusal('parameter_unknown', 'Unknown parameter: id. The id is already in the path.', {
      param: 'id',
    })
  }
  return { id, ...given }
}

function readBody({ operation, body, search, onIgnored }: Call): Record<string, unknown> {
  const [unexpected, ...more] = search === '' ? [] : new URLSearchParams(search).keys()
  if (unexpected !== undefined && onIgnored !== undefined) onIgnored([unexpected, ...more])
  else if (unexpected !== undefined) {
    throw new Refusal(
      'parameter_unknown',
      `Unknown query parameter: ${unexpected}. A POST takes its parameters in the JSON body.`,
      { param: unexpected },
    )
  }
  if (body === undefined) return {}
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Refusal(
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
      throw new Refusal('invalid_json', `The body is nested deeper than ${MAX_JSON_DEPTH} levels.`)
    }
    for (const value of level) {
      const keys = Object.keys(value)
      count += keys.length
      if (count > MAX_JSON_VALUES) {
        throw new Refusal('invalid_json', `The body has more than ${MAX_JSON_VALUES} values. Send less.`)
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
  throw new Refusal('invalid_json', `The key '${forbidden}' is not allowed in a body.`)
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
