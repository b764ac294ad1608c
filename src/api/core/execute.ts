import type { StoredResponse } from '../../domain/idempotency.ts'
import { maskWholeCardNumbers } from '../../domain/whole-card-number.ts'
import { resultOf, type Trigger } from '../../engine/commit.ts'
import { runRequestTransaction } from '../../engine/real-time.ts'
import type { Runtime } from '../../engine/runtime.ts'
import { settledNow } from '../../engine/settled-time.ts'
import {
  adjustResponseCount,
  findStoredResponse,
  requireResponseCapacity,
} from '../../engine/stored-responses.ts'
import { decryptResponse } from './encrypted-responses.ts'
import { type KeyedRequest, toKeyedRequest } from './idempotent-request.ts'
import type { PlanChange, PlannedChange } from './operation.ts'
import type { OperationRequest } from './operation-request.ts'
import { parseParams } from './parse-params.ts'
import { validateParams } from './validate-params.ts'

/** A response with its body as JSON text. */
export interface SerializedResponse {
  readonly status: number
  readonly body: string
  /** The id of the request that was executed, for a replayed response; else null. */
  readonly replayOf: string | null
}

/**
 * Validates and executes a request, and resolves with the response when its changes are durable. The response to a request
 * with an idempotency key is stored for 24 hours: in the same transaction, or at the end of a procedure. Rejects with a
 * `DomainError` for an error that is not stored, because the request can be corrected or may succeed later.
 */
export async function execute(runtime: Runtime, request: OperationRequest): Promise<SerializedResponse> {
  const raw = parseParams(request)
  const keyed = toKeyedRequest(request, runtime.wallNow())
  if (keyed !== null) {
    const { former } = await findStoredResponse(runtime.store, keyed, settledNow(runtime))
    if (former !== null) return toSerializedResponse(former, keyed, true)
  }
  const bound = await request.operation.bind((rules) =>
    validateParams(runtime, rules, raw, request.onIgnored),
  )
  if (bound.kind === 'lookup') return toSuccess(await bound.load(runtime.store))
  if (bound.kind === 'mutation') {
    const changed = await change(runtime, request, keyed, bound.plan)
    return 'response' in changed ? changed.response : toSuccess(changed.result)
  }
  const started = await change(runtime, request, keyed, bound.plan)
  return 'response' in started ? started.response : toSuccess(await bound.finish(runtime, started.result))
}

/** Runs the transaction of a request. Resolves with the stored response if there is one, else with the result. */
async function change<R>(
  runtime: Runtime,
  { requestId }: OperationRequest,
  keyed: KeyedRequest | null,
  plan: PlanChange<R>,
): Promise<{ readonly response: SerializedResponse } | { readonly result: R }> {
  if (keyed !== null) await requireResponseCapacity(runtime)
  const { newWebhookSecret, newApiKey } = runtime
  const idempotency_key =
    keyed === null ? null : maskWholeCardNumbers(runtime.publicIdempotencyKey(keyed.key))
  const clockRequest = { request: { id: requestId, idempotency_key }, keyed: keyed?.keyed ?? null }
  const context = { wallNow: runtime.wallNow(), newWebhookSecret, newApiKey, clockRequest }
  const trigger: Trigger<PlannedChange<R>, R> = {
    request: clockRequest.request,
    load: (reader) => plan(reader, context),
    when: (planned) => planned.when,
    decide: (planned, ruleContext) => planned.decide(ruleContext),
  }
  const ended = await runRequestTransaction(runtime, trigger, keyed)
  if (ended.kind === 'replayed') return { response: toSerializedResponse(ended.response, keyed, true) }
  const { stored } = ended
  const changed =
    stored === null ? { result: resultOf(ended) } : { response: toSerializedResponse(stored, keyed, false) }
  if (keyed !== null) adjustResponseCount(runtime.store, 1)
  return changed
}

function toSuccess(result: unknown): SerializedResponse {
  return { status: 200, body: JSON.stringify(result), replayOf: null }
}

function toSerializedResponse(
  response: StoredResponse,
  keyed: KeyedRequest | null,
  isReplay: boolean,
): SerializedResponse {
  const { status, body, request } = keyed === null ? response : decryptResponse(response, keyed.key)
  return { status, body, replayOf: isReplay ? request : null }
}
