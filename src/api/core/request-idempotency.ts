import { hash } from 'node:crypto'
import type { Decision } from '../../domain/core/changes.ts'
import type { DomainError } from '../../domain/core/domain-error.ts'
import {
  createStoredResponse,
  parseIdempotencyKey,
  type StoredResponse,
} from '../../domain/requests/idempotency.ts'
import { toCanonicalJson } from '../../domain/text/canonical-json.ts'
import type { TransactionIdempotency } from '../../engine/commit.ts'
import { ERROR_DEFINITIONS, toApiErrorResponse } from '../schema/errors.ts'
import { encryptSecretResponse } from './encrypted-responses.ts'
import type { OperationRequest } from './operation-request.ts'

/** The idempotency of a request with a key; `keyed` contains only digests of the key and of the request. */
export interface RequestIdempotency extends TransactionIdempotency<unknown> {
  readonly key: string
}

/** Parses the idempotency key of a request, or returns null without a key. Throws for an invalid key. */
export function parseRequestIdempotency(
  request: OperationRequest,
  wallNow: number,
): RequestIdempotency | null {
  const { operation, id = '', search, body = {}, idempotencyHeader } = request
  if (idempotencyHeader === undefined) return null
  const key = parseIdempotencyKey(idempotencyHeader.value)
  const target = `${operation.path.replace(':id', id)}?${search}`
  const keyed = {
    id: `idem_${hash('sha256', `${idempotencyHeader.scope}\n${key}`, 'hex')}`,
    fingerprint: hash('sha256', `${operation.method} ${target}\n${toCanonicalJson(body)}`, 'hex'),
    used_at: wallNow,
  }
  const createResponse = (decision: Decision<unknown>): StoredResponse | null =>
    'result' in decision
      ? toSuccess(decision.result, request, key)
      : toFinalError(decision.error, request.requestId, idempotencyHeader.apiUrl)
  return { key, keyed, createResponse }
}

// Returns null for a procedure, whose last transaction stores the response.
function toSuccess(
  result: unknown,
  { operation, requestId }: OperationRequest,
  key: string,
): StoredResponse | null {
  if (operation.kind === 'procedure') return null
  return encryptSecretResponse(createStoredResponse(result, requestId), key)
}

function toFinalError(error: DomainError, requestId: string, apiUrl: string): StoredResponse | null {
  if (!isFinal(error)) return null
  const { status, body } = toApiErrorResponse(error, { requestId, apiUrl })
  return { status, body: JSON.stringify(body), is_sealed: false, request: requestId }
}

const CORRECTABLE_CODE = /^(resource_missing|parameters?_\w+)$/

// Correctable and temporary errors are not stored, so the idempotency key can be used again.
function isFinal({ code, details }: DomainError): boolean {
  // The caller can correct a validation error and send the request again with the same key.
  if (details.errors !== undefined) return false
  const status = ERROR_DEFINITIONS[code]?.[0]
  return (status === 400 || status === 402) && !CORRECTABLE_CODE.test(code)
}
