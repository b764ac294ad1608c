import { hash } from 'node:crypto'
import type { Decision } from '../../domain/changes.ts'
import type { DomainError } from '../../domain/domain-error.ts'
import {
  type IdempotentRequest,
  parseIdempotencyKey,
  type StoredResponse,
  successResponse,
} from '../../domain/idempotency.ts'
import { maskWholeCardNumbers } from '../../domain/whole-card-number.ts'
import { commitOnceAfterDueJobs } from '../../engine/real-time.ts'
import type { Runtime } from '../../engine/runtime.ts'
import { settledNow } from '../../engine/settled-time.ts'
import {
  adjustResponseCount,
  findStoredResponse,
  requireResponseCapacity,
} from '../../engine/stored-responses.ts'
import { createErrorResponse, ERRORS } from '../schema/errors.ts'
import { decryptResponse, encryptSecretResponse } from './encrypted-responses.ts'
import {
  type ChangingOperation,
  type OperationCall,
  readParams,
  toTrigger,
  validateParams,
} from './execute.ts'

/** A call with an `Idempotency-Key`. */
export interface IdempotentCall extends OperationCall {
  readonly operation: ChangingOperation
  /** The value of the `Idempotency-Key` header. */
  readonly idempotencyKey: string
  /** Requests share idempotency keys only within this scope; see `AuthenticatedKey`. */
  readonly idempotencyScope: string
  /** The base URL of `doc_url` in error responses. */
  readonly apiUrl: string
}

/** A response with its body as JSON text. */
export interface SerializedResponse {
  readonly status: number
  readonly body: string
  /** The id of the request that was executed, for a replayed response; else null. */
  readonly replayOf: string | null
}

/**
 * Executes a call once per idempotency key and stores the response for 24 hours: in the same transaction, or at the end of
 * a procedure. Throws `DomainError`
 * for an error that is not stored, because the request can be corrected or may succeed later.
 */
export async function executeOnce(runtime: Runtime, call: IdempotentCall): Promise<SerializedResponse> {
  const { operation, requestId } = call
  const raw = readParams(call)
  const key = parseIdempotencyKey(call.idempotencyKey)
  const keyed = toKeyedRequest(key, call, runtime.wallNow())
  const legacyKeyId = idempotencyRecordId(key)
  const { former } = await findStoredResponse(runtime.store, { keyed, legacyKeyId }, settledNow(runtime))
  if (former !== null) return toSerializedResponse(former, key, true)
  const params = await validateParams(runtime, call, raw)
  await requireResponseCapacity(runtime)
  const clockRequest = {
    request: { id: requestId, idempotency_key: maskWholeCardNumbers(runtime.publicIdempotencyKey(key)) },
    keyed,
  }
  const committed = await commitOnceAfterDueJobs(
    runtime,
    toTrigger(runtime, operation, params, clockRequest),
    {
      keyed,
      legacyKeyId,
      createResponse: (decision) => toStoredResponse(decision, call, key),
    },
  )
  const isReplay = 'response' in committed && committed.isReplay
  if (!isReplay) adjustResponseCount(runtime.store, 1)
  if ('response' in committed) return toSerializedResponse(committed.response, key, isReplay)
  if (operation.kind !== 'procedure') throw new Error(`${operation.path} stored no response`)
  const result = await operation.finish(runtime, committed.unstoredResult as never)
  return toSerializedResponse(successResponse(result, requestId), key, false)
}

// The idempotency record has only digests of the key and of the request.
function toKeyedRequest(
  key: string,
  { operation, id = '', search, body = {}, idempotencyScope }: IdempotentCall,
  wallNow: number,
): IdempotentRequest {
  const target = `${operation.path.replace(':id', id)}?${search}`
  return {
    id: idempotencyRecordId(`${idempotencyScope}\n${key}`),
    fingerprint: hash('sha256', `${operation.method} ${target}\n${canonicalJson(body)}`, 'hex'),
    used_at: wallNow,
  }
}

function idempotencyRecordId(key: string): string {
  return `idem_${hash('sha256', key, 'hex')}`
}

function toStoredResponse(
  decision: Decision<unknown>,
  { operation, requestId, apiUrl }: IdempotentCall,
  key: string,
): StoredResponse | null {
  if ('result' in decision) {
    if (operation.kind === 'procedure') return null
    return encryptSecretResponse(successResponse(decision.result, requestId), key)
  }
  const { error } = decision
  if (!isFinal(error)) return null
  const { status, body } = createErrorResponse(error, { requestId, apiUrl })
  return { status, body: JSON.stringify(body), is_sealed: false, request: requestId }
}

const CORRECTABLE_CODE = /^(resource_missing|parameters?_\w+)$/

// Correctable and temporary errors are not stored, so the key can be used again.
function isFinal({ code, details }: DomainError): boolean {
  // Validation errors: the caller can correct the request and send it with the same key.
  if (details.errors !== undefined) return false
  const status = ERRORS[code]?.[0]
  return (status === 400 || status === 402) && !CORRECTABLE_CODE.test(code)
}

function toSerializedResponse(response: StoredResponse, key: string, isReplay: boolean): SerializedResponse {
  const { status, body, request } = decryptResponse(response, key)
  return { status, body, replayOf: isReplay ? request : null }
}

// Sorts the fields, so that equal bodies have equal fingerprints.
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_field, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}
