import { hash } from 'node:crypto'
import type { Decision } from '../../domain/changes.ts'
import type { DomainError } from '../../domain/domain-error.ts'
import {
  type KeyedRequest,
  readIdempotencyKey,
  type StoredAnswer,
  successAnswer,
} from '../../domain/idempotency.ts'
import { maskWholeCardNumbers } from '../../domain/whole-card-number.ts'
import { findAnswer, noteAnswers, requireRoomForAnswer } from '../../engine/kept-answers.ts'
import { commitOnceInTime } from '../../engine/real-time.ts'
import type { Runtime } from '../../engine/runtime.ts'
import { settledNow } from '../../engine/settled-time.ts'
import { ERRORS, toErrorAnswer } from '../schema/errors.ts'
import { type Call, type Changing, checkParams, readParams, triggerOf } from './execute.ts'
import { openAnswer, sealAnswer } from './sealed-answers.ts'

/** A call that says which one it is. */
export interface KeyedCall extends Call {
  readonly operation: Changing
  /** The `Idempotency-Key` header as it came. */
  readonly idempotencyKey: string
  /** Callers of different scopes may use the same `Idempotency-Key` independently; see `AuthenticatedKey`. */
  readonly idempotencyScope: string
  /** The address that error answers point into. */
  readonly apiUrl: string
}

/** An answer as text. */
export interface Answered {
  readonly status: number
  readonly body: string
  /** The id of the request that was answered so before; null when this is the first time. */
  readonly replayOf: string | null
}

/**
 * Carries a call out once, however often it comes: its answer is kept in the transaction of what it did, for 24 hours.
 * Rejects with a `Refusal` that the key does not keep: of a request that can be put right, or that may go well later.
 */
export async function executeOnce(runtime: Runtime, call: KeyedCall): Promise<Answered> {
  const { operation, requestId } = call
  const given = readParams(call)
  const key = readIdempotencyKey(call.idempotencyKey)
  const keyed = keyedRequest(key, { call, wallNow: runtime.wallNow() })
  const unscopedId = answerId(key)
  const { former } = await findAnswer(runtime.store, { keyed, unscopedId }, settledNow(runtime))
  if (former !== null) return answered(former, { key, isReplay: true })
  const params = await checkParams(runtime, call, given)
  await requireRoomForAnswer(runtime)
  const asking = {
    request: { id: requestId, idempotency_key: maskWholeCardNumbers(runtime.publicIdempotencyKey(key)) },
    keyed,
  }
  const happened = await commitOnceInTime(runtime, triggerOf(runtime, operation, { params, asking }), {
    keyed,
    unscopedId,
    answerTo: (decision) => answerTo(decision, call, key),
  })
  if (!('answer' in happened && happened.isReplay)) noteAnswers(runtime.store, 1)
  if ('answer' in happened) return answered(happened.answer, { key, isReplay: happened.isReplay })
  if (operation.kind !== 'procedure') throw new Error(`${operation.path} only began`)
  const result = await operation.finish(runtime, happened.begun as never)
  return answered(successAnswer(result, requestId), { key, isReplay: false })
}

/** What a key and its request are known by: digests, so that nothing of either is kept. */
function keyedRequest(
  key: string,
  { call, wallNow }: { readonly call: KeyedCall; readonly wallNow: number },
): KeyedRequest {
  const { operation, id = '', search, body = {}, idempotencyScope } = call
  const target = `${operation.path.replace(':id', id)}?${search}`
  return {
    id: answerId(`${idempotencyScope}\n${key}`),
    fingerprint: hash('sha256', `${operation.method} ${target}\n${canonicalJson(body)}`, 'hex'),
    used_at: wallNow,
  }
}

function answerId(key: string): string {
  return `idem_${hash('sha256', key, 'hex')}`
}

function answerTo(
  decision: Decision<unknown>,
  { operation, requestId, apiUrl }: KeyedCall,
  key: string,
): StoredAnswer | null {
  if ('result' in decision) {
    if (operation.kind === 'procedure') return null
    return sealAnswer(successAnswer(decision.result, requestId), key)
  }
  const { refusal } = decision
  if (!isFinal(refusal)) return null
  const { status, body } = toErrorAnswer(refusal, { requestId, apiUrl })
  return { status, body: JSON.stringify(body), is_sealed: false, request: requestId }
}

const CORRIGIBLE = /^(resource_missing|parameters?_\w+)$/

// What was decided on things as they are is kept; what is wrong with the request itself, or may pass, is not.
function isFinal({ code, details }: DomainError): boolean {
  // Faults of the fields that were sent; the request can be mended and sent with the same key.
  if (details.errors !== undefined) return false
  const status = ERRORS[code]?.[0]
  return (status === 400 || status === 402) && !CORRIGIBLE.test(code)
}

function answered(
  answer: StoredAnswer,
  { key, isReplay }: { readonly key: string; readonly isReplay: boolean },
): Answered {
  const { status, body, request } = openAnswer(answer, key)
  return { status, body, replayOf: isReplay ? request : null }
}

/** JSON whose text does not depend on the order in which fields were written. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_field, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}
