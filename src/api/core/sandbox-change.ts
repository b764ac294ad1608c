import type { Decision } from '../../domain/core/changes.ts'
import { DomainError } from '../../domain/core/domain-error.ts'
import { createKeyInUseError } from '../../domain/requests/idempotency.ts'
import { DEFAULT_SANDBOX } from '../../domain/sandboxes/sandboxes.ts'
import type { TransactionIdempotency, TransactionPlan, TransactionResult } from '../../engine/commit.ts'
import { runTransactionAfterDueJobs } from '../../engine/real-time-jobs.ts'
import type { Runtime } from '../../engine/runtime.ts'
import { REAL_TIME } from '../../engine/time-reference.ts'
import type { Store } from '../../store/port/store.ts'
import type { OperationContext, SandboxChange, ServerSandboxes } from './operation.ts'
import type { OperationRequest } from './operation-request.ts'

/** Returns the sandboxes that the API keys of a runtime can access. Throws for a runtime without sandboxes. */
export function getServerSandboxes(runtime: Runtime): ServerSandboxes {
  const { sandboxes: manager, registry = runtime } = runtime
  if (manager === undefined) throw new Error('this runtime has no sandboxes')
  return { manager, registry }
}

/**
 * Adds the sandbox to the idempotency scope of a request, because API keys of different sandboxes may have equal ids.
 */
export function scopeIdempotencyToSandbox(request: OperationRequest, sandbox: string): OperationRequest {
  const { idempotencyHeader } = request
  if (idempotencyHeader === undefined || sandbox === DEFAULT_SANDBOX) return request
  return {
    ...request,
    idempotencyHeader: { ...idempotencyHeader, scope: `${sandbox} ${idempotencyHeader.scope}` },
  }
}

// The idempotency keys of the requests that this process is executing, for each store.
const runningKeys = new WeakMap<Store, Set<string>>()

/**
 * Runs a request unless a request with the same idempotency key is running; rejects with `idempotency_key_in_use`. The
 * transaction alone cannot stop concurrent requests, such as two resets, from changing contents beforehand.
 */
export async function runUnlessIdempotencyKeyInUse<R>(
  store: Store,
  { idempotencyHeader }: OperationRequest,
  run: () => Promise<R>,
): Promise<R> {
  if (idempotencyHeader === undefined) return run()
  const key = `${idempotencyHeader.scope}\n${idempotencyHeader.value}`
  const running = runningKeys.get(store) ?? new Set()
  runningKeys.set(store, running)
  if (running.has(key)) throw createKeyInUseError()
  running.add(key)
  try {
    return await run()
  } finally {
    running.delete(key)
  }
}

/** Runs the transaction of a prepared sandbox change, and then finishes or reverts the change of the contents. */
export async function runSandboxChange<R>(
  runtime: Runtime,
  change: SandboxChange<R>,
  { procedureRequest }: OperationContext,
  idempotency: TransactionIdempotency<R> | null,
): Promise<TransactionResult<R>> {
  const plan: TransactionPlan<Decision<R>, R> = {
    request: procedureRequest.request,
    load: (reader) => change.decide(reader, runtime.wallNow()),
    when: () => REAL_TIME,
    decide: (decision) => decision,
    // A full server must still reset and delete sandboxes. `prepare` checks the capacity for a new sandbox.
    isDeletion: true,
  }
  try {
    const ended = await runTransactionAfterDueJobs(runtime, plan, idempotency)
    const isDone = ended.kind === 'decided' && 'result' in ended.decision
    await (isDone ? change.finish?.() : change.revert?.())
    return ended
  } catch (error) {
    // Revert only if the transaction cannot have been committed. After an error such as a lost connection, the
    // transaction may have been committed.
    if (error instanceof DomainError && error.code !== 'unavailable') await change.revert?.()
    throw error
  }
}
