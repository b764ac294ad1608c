import { executeRequest, type SerializedResponse } from '../../src/api/core/execute.ts'
import type { AnyOperation } from '../../src/api/core/operation.ts'
import { toApiErrorResponse } from '../../src/api/schema/errors.ts'
import { DomainError } from '../../src/domain/core/domain-error.ts'
import { runDueJobs } from '../../src/engine/real-time-jobs.ts'
import type { Runtime } from '../../src/engine/runtime.ts'
import { checkResponse } from './contract.ts'

const API_URL = 'http://127.0.0.1:4100'
let requests = 0

/** A POST with an idempotency key. */
export interface IdempotentRequest {
  readonly operation: AnyOperation
  readonly key: string
  readonly id?: string
  readonly search?: string
  /** Scope of idempotency keys (default: one scope for all callers). */
  readonly scope?: string
  readonly body?: unknown
}

/** Executes a keyed POST without HTTP, after due jobs; returns the response that a client would see. */
export async function sendIdempotent(
  runtime: Runtime,
  keyed: IdempotentRequest,
): Promise<SerializedResponse> {
  const { operation, key, search = '', id, body, scope = 'key_1' } = keyed
  requests += 1
  const requestId = `req_Keyed${String(requests).padStart(19, '0')}`
  const idempotencyHeader = { value: key, scope, apiUrl: API_URL }
  const request = { operation, id, search, body, requestId, isSecretKey: true, idempotencyHeader }
  await runDueJobs(runtime)
  const answer = await executeRequest(runtime, request).catch((error: unknown) => {
    if (!(error instanceof DomainError)) throw error
    const { status, body } = toApiErrorResponse(error, { requestId, apiUrl: API_URL })
    return { status, body: JSON.stringify(body), replayOf: null }
  })
  const path = operation.path.replace(':id', id ?? '')
  checkResponse({ method: operation.method, path, status: answer.status, text: answer.body })
  return answer
}

/** Returns the code of an error response; null for a success. */
export function errorCodeOf({ body }: SerializedResponse): string | null {
  const { error }: { error?: { code: string } } = JSON.parse(body)
  return error?.code ?? null
}
