import type { Changing } from '../../src/api/core/execute.ts'
import { type Answered, executeOnce } from '../../src/api/core/execute-once.ts'
import type { Method } from '../../src/api/core/operation.ts'
import { toErrorAnswer } from '../../src/api/schema/errors.ts'
import { DomainError } from '../../src/domain/domain-error.ts'
import { drainDeadlines } from '../../src/engine/real-time.ts'
import type { Runtime } from '../../src/engine/runtime.ts'
import { checkAnswer } from './contract.ts'

const API_URL = 'http://127.0.0.1:4100'
let requests = 0

/** A POST with an idempotency key. */
export interface Keyed {
  readonly operation: { readonly method: Method; readonly path: string }
  readonly key: string
  readonly id?: string
  readonly search?: string
  /** What separates the keys of one caller from those of others; one scope for all unless given. */
  readonly scope?: string
  readonly body?: unknown
}

/** Sends a POST with a key over everything but the wire, what is due first; gives the answer that a client would see. */
export async function sendKeyed(runtime: Runtime, keyed: Keyed): Promise<Answered> {
  const { key, search = '', id, body, scope = 'key_1' } = keyed
  const operation = keyed.operation as unknown as Changing
  requests += 1
  const requestId = `req_Keyed${String(requests).padStart(19, '0')}`
  const own = { requestId, idempotencyKey: key, idempotencyScope: scope, apiUrl: API_URL }
  const call = { operation, id, search, body, ...own }
  await drainDeadlines(runtime)
  const answer = await executeOnce(runtime, call).catch((error: unknown) => {
    if (!(error instanceof DomainError)) throw error
    const { status, body } = toErrorAnswer(error, { requestId, apiUrl: API_URL })
    return { status, body: JSON.stringify(body), replayOf: null }
  })
  const path = operation.path.replace(':id', id ?? '')
  checkAnswer({ method: operation.method, path, status: answer.status, text: answer.body })
  return answer
}

/** The code of an error answer; null for a success. */
export function codeOf({ body }: Answered): string | null {
  const { error }: { error?: { code: string } } = JSON.parse(body)
  return error?.code ?? null
}
