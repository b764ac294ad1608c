import { maskWholeCardNumbers } from '../../domain/cards/whole-card-number.ts'
import type { StoredResponse } from '../../domain/requests/idempotency.ts'
import { type TransactionPlan, unwrapTransactionResult } from '../../engine/commit.ts'
import { runTransactionAfterDueJobs } from '../../engine/real-time-jobs.ts'
import { getRetentionTime } from '../../engine/retention-clock.ts'
import type { Runtime } from '../../engine/runtime.ts'
import {
  adjustResponseCount,
  findStoredResponse,
  requireResponseCapacity,
} from '../../engine/stored-responses.ts'
import { decryptResponse } from './encrypted-responses.ts'
import { isExpensiveRequest, runExpensiveRequest } from './expensive-requests.ts'
import type { HttpMethod, OperationContext, TransactionSteps } from './operation.ts'
import type { OperationRequest } from './operation-request.ts'
import { parseParams } from './parse-params.ts'
import { parseRequestIdempotency, type RequestIdempotency } from './request-idempotency.ts'
import {
  getServerSandboxes,
  runSandboxChange,
  runUnlessIdempotencyKeyInUse,
  scopeIdempotencyToSandbox,
} from './sandbox-change.ts'
import { validateParams } from './validate-params.ts'

/** A response with its body as a JSON string. */
export interface SerializedResponse {
  readonly status: number
  readonly body: string
  /** The id of the original request for a replayed response; otherwise null. */
  readonly replayOf: string | null
}

/**
 * Validates and executes a request, and resolves with the response when its changes are durable. The response to a
 * request with an idempotency key is stored for 24 hours, in the last transaction of the request. Rejects with a
 * `DomainError` for an error that is not stored, because the request can be corrected or may succeed later.
 */
export async function executeRequest(
  runtime: Runtime,
  request: OperationRequest,
): Promise<SerializedResponse> {
  if (request.operation.kind !== 'sandbox') return executeIn(runtime, request)
  // The default sandbox stores the sandbox records, even if the API key belongs to another sandbox.
  const { manager, registry } = getServerSandboxes(runtime)
  const scoped = scopeIdempotencyToSandbox(request, manager.current)
  return runUnlessIdempotencyKeyInUse(registry.store, scoped, () => executeIn(registry, scoped, runtime))
}

// `caller` is the runtime of the sandbox of the API key, which may differ from `runtime`.
async function executeIn(
  runtime: Runtime,
  request: OperationRequest,
  caller = runtime,
): Promise<SerializedResponse> {
  const raw = parseParams(request)
  const keyed = parseRequestIdempotency(request, runtime.wallNow())
  if (keyed !== null) {
    const { former } = await findStoredResponse(runtime.store, keyed.keyed, getRetentionTime(runtime))
    if (former !== null) return toSerializedResponse(former, keyed, true)
  }
  const { operation } = request
  const params = await validateParams(runtime, operation, raw, request.onIgnored)
  const run = (own: Runtime) => executeValid(own, request, { params, keyed, caller })
  return isExpensiveRequest(operation, params)
    ? runExpensiveRequest(runtime, request, caller, run)
    : run(runtime)
}

interface ValidRequest {
  readonly params: unknown
  readonly keyed: RequestIdempotency | null
  readonly caller: Runtime
}

async function executeValid(
  runtime: Runtime,
  request: OperationRequest,
  { params, keyed, caller }: ValidRequest,
): Promise<SerializedResponse> {
  const { operation } = request
  if (operation.kind === 'lookup') return toSuccess(await operation.load(runtime.store, params, runtime))
  if (keyed !== null) await requireResponseCapacity(runtime)
  const context = createCallContext(runtime, request, keyed)
  const ended =
    operation.kind === 'sandbox'
      ? await runSandboxChange(
          runtime,
          await operation.prepare(
            { ...getServerSandboxes(caller), isSecretKey: request.isSecretKey },
            params,
          ),
          context,
          keyed,
        )
      : await runTransactionAfterDueJobs(runtime, toTransactionPlan(operation, params, context), keyed)
  if (ended.kind === 'replayed') return toSerializedResponse(ended.response, keyed, true)
  const { stored } = ended
  const result = stored === null ? unwrapTransactionResult(ended) : null
  if (keyed !== null) adjustResponseCount(runtime.store, 1)
  if (stored !== null) return toSerializedResponse(stored, keyed, false)
  return toSuccess(operation.kind === 'procedure' ? await operation.finish(runtime, result) : result)
}

function createCallContext(
  runtime: Runtime,
  { requestId, isSecretKey }: OperationRequest,
  keyed: RequestIdempotency | null,
): OperationContext {
  const { newWebhookSecret, newApiKey, isExposed = false, quotas } = runtime
  const idempotency_key =
    keyed === null ? null : maskWholeCardNumbers(runtime.publicIdempotencyKey(keyed.key))
  const procedureRequest = { request: { id: requestId, idempotency_key }, keyed: keyed?.keyed ?? null }
  const wallNow = runtime.wallNow()
  return { wallNow, newWebhookSecret, newApiKey, isSecretKey, isExposed, procedureRequest, quotas }
}

function toTransactionPlan<P, L, R>(
  steps: TransactionSteps<P, L, R> & { readonly method: HttpMethod },
  params: P,
  context: OperationContext,
): TransactionPlan<L, R> {
  return {
    request: context.procedureRequest.request,
    load: (reader) => steps.load(reader, params, context),
    when: (loaded) => steps.when(loaded, params),
    decide: (loaded, ruleContext) => steps.decide(loaded, params, ruleContext),
    isDeletion: steps.method === 'DELETE',
  }
}

function toSuccess(result: unknown): SerializedResponse {
  return { status: 200, body: JSON.stringify(result), replayOf: null }
}

function toSerializedResponse(
  response: StoredResponse,
  keyed: RequestIdempotency | null,
  isReplay: boolean,
): SerializedResponse {
  const { status, body, request } = keyed === null ? response : decryptResponse(response, keyed.key)
  return { status, body, replayOf: isReplay ? request : null }
}
