import { createCanceledError, type ExpensiveWorkKind } from '../../engine/admission.ts'
import type { Runtime } from '../../engine/runtime.ts'
import type { AnyOperation } from './operation.ts'
import type { OperationRequest } from './operation-request.ts'

const WORK_KINDS: Readonly<Record<AnyOperation['kind'], ExpensiveWorkKind>> = {
  lookup: 'report',
  mutation: 'report',
  procedure: 'clock',
  sandbox: 'contents',
}

/** Returns whether a request with valid parameters is expensive and therefore must wait for admission. */
export function isExpensiveRequest(operation: AnyOperation, params: unknown): boolean {
  return operation.cost === 'expensive' && operation.isCheap?.(params) !== true
}

/**
 * Runs an expensive request once the queue of the caller's sandbox admits it. A lookup is canceled when its client
 * disconnects; a change that has begun is completed.
 */
export async function runExpensiveRequest<R>(
  runtime: Runtime,
  { operation, isDisconnected = () => false }: OperationRequest,
  caller: Runtime,
  run: (runtime: Runtime) => Promise<R>,
): Promise<R> {
  const own = operation.kind === 'lookup' ? withCancellation(runtime, isDisconnected) : runtime
  if (caller.admit === undefined) return run(own)
  return caller.admit({
    kind: WORK_KINDS[operation.kind],
    isCanceled: isDisconnected,
    run: () => run(own),
  })
}

/** Returns a runtime whose `yieldToEventLoop` throws once the request is canceled. */
function withCancellation(runtime: Runtime, isCanceled: () => boolean): Runtime {
  return {
    ...runtime,
    async yieldToEventLoop() {
      await runtime.yieldToEventLoop()
      if (isCanceled()) throw createCanceledError()
    },
  }
}
