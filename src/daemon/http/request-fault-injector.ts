import type { ServerResponse } from 'node:http'
import type { Context } from 'koa'
import { createSimulatedError } from '../../api/schema/http-errors.ts'
import { requireFaultAccess } from '../../domain/sandboxes/api-keys.ts'
import type { Runtime } from '../../engine/runtime.ts'
import { waitAtMost } from '../system/task-scheduling.ts'
import { isRequestFault, parseFaultHeader, type RequestFault } from './fault-header.ts'

/** The fault header: a request names the fault to apply, a response names the applied fault. */
const HEADER = 'Paycli-Fault'

/** The statuses in the request log of requests that were not executed and have no response. */
const UNEXECUTED = { dropped: 444, disconnected: 499 } as const

/** The interval at which a slow response sends a part of its body, unless one byte takes longer. */
const SLOW_INTERVAL_MS = 100

/** A fault that applies to a request; `id` is null if the request header defined the fault. */
interface AppliedFault extends RequestFault {
  readonly id: string | null
}

/** Creates the object that applies faults to the requests of an app. */
export function createRequestFaultInjector() {
  const stopping = new AbortController()
  return {
    /**
     * Responds to a request of an operation, such as `payment_sessions.create`, with the fault that applies to it. Calls
     * `respond` immediately if no fault can apply.
     */
    serve(ctx: Context, operation: string, respond: () => Promise<void>): Promise<void> {
      const { sandbox } = ctx.state
      if (sandbox === undefined) throw new Error(`${ctx.path} has no scope`)
      const { runtime } = sandbox
      if (ctx.req.headers['paycli-fault'] === undefined && !runtime.faults.has('request')) return respond()
      return findFault(ctx, operation, runtime).then((fault) =>
        fault === null ? respond() : applyFault(ctx, fault, respond, stopping.signal),
      )
    },
    /** Ends all current and future waits of faults, so that every request can finish. */
    stop: () => stopping.abort(),
  }
}

async function findFault(ctx: Context, operation: string, runtime: Runtime): Promise<AppliedFault | null> {
  const header = ctx.req.headers['paycli-fault']
  const { apiKey } = ctx.state
  if (header !== undefined && apiKey !== undefined) requireFaultAccess(apiKey, runtime.isExposed === true)
  const own = header === undefined ? null : { ...parseFaultHeader(String(header)), id: null }
  if (!runtime.faults.has('request')) return own
  const fault = await runtime.faults.select({ kind: 'request', operation, customer: customerOf(ctx) })
  if (fault === null || !isRequestFault(fault.type)) return own
  return { type: fault.type, options: fault, id: fault.id }
}

async function applyFault(
  ctx: Context,
  fault: AppliedFault,
  respond: () => Promise<void>,
  stop: AbortSignal,
): Promise<void> {
  const name = fault.id ?? fault.type
  ctx.state.fault = name
  ctx.set(HEADER, name)
  const { type, options } = fault
  if (type === 'error') throw createSimulatedError(options, fault.id)
  if (type === 'drop_request') {
    ctx.status = UNEXECUTED.dropped
    ctx.state.sendResponse = () => closeConnection(ctx.res)
    return
  }
  if (type !== 'delay_request') {
    ctx.state.sendResponse = () => sendWithFault(ctx, fault, stop)
    return respond()
  }
  await wait(ctx.res, options.delay_ms ?? 0, stop)
  if (ctx.res.closed) ctx.status = UNEXECUTED.disconnected
  else await respond()
}

/** Returns the id of the customer of a request: from its path, or from the parameter `customer`. */
function customerOf({ params, query, request }: Context): string | null {
  if (String(params['id']).startsWith('cus_')) return params['id']
  const { customer = query['customer'] }: { customer?: unknown } = Object(request.body)
  return typeof customer === 'string' ? customer : null
}

/** Sends a finished response with a fault; Koa sends nothing more. */
async function sendWithFault(
  ctx: Context,
  { type, options }: RequestFault,
  stop: AbortSignal,
): Promise<void> {
  const { res, method } = ctx
  if (type === 'delay_response') return wait(res, options.delay_ms ?? 0, stop)
  // A response to HEAD has no body.
  const body = Buffer.from(typeof ctx.body === 'string' && method !== 'HEAD' ? ctx.body : '')
  if (type === 'slow_response') return sendSlowly(res, body, options.bytes_per_second ?? 1, stop)
  // Content-Length is the length of the whole body, so the client detects the truncation.
  if (type === 'truncate_response') await write(res, body.subarray(0, Math.floor(body.length / 2)))
  await closeConnection(res)
}

async function sendSlowly(
  res: ServerResponse,
  body: Buffer,
  perSecond: number,
  stop: AbortSignal,
): Promise<void> {
  const size = Math.max(1, Math.round((perSecond * SLOW_INTERVAL_MS) / 1000))
  let at = 0
  for (; at + size < body.length && !res.closed && !stop.aborted; at += size) {
    await write(res, body.subarray(at, at + size))
    await wait(res, (size * 1000) / perSecond, stop)
  }
  res.end(body.subarray(at))
}

/** Resolves when a part of the body is passed to the operating system, or when the connection is closed. */
async function write(res: ServerResponse, part: Buffer): Promise<void> {
  if (res.closed) return
  await untilClosed(res, (resolve) => res.write(part, () => resolve()))
}

/** Closes the connection of a response after all earlier responses on the connection were sent. */
async function closeConnection(res: ServerResponse): Promise<void> {
  // Node.js assigns the socket to a response when all earlier responses on the connection were sent.
  if (res.socket === null && !res.closed)
    await untilClosed(res, (resolve) => res.once('socket', () => resolve()))
  res.socket?.destroy()
}

/** Resolves when `start` calls its `resolve` argument, or when the connection is closed. */
async function untilClosed(res: ServerResponse, start: (resolve: () => void) => void): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  res.once('close', resolve)
  start(resolve)
  await promise
  res.off('close', resolve)
}

/** Waits until `ms` milliseconds have passed, the client disconnects or `stop` is aborted. */
async function wait(res: ServerResponse, ms: number, stop: AbortSignal): Promise<void> {
  if (stop.aborted || res.closed) return
  const { promise, resolve } = Promise.withResolvers<unknown>()
  stop.addEventListener('abort', resolve)
  res.once('close', resolve)
  await waitAtMost(promise, ms)
  res.off('close', resolve)
  stop.removeEventListener('abort', resolve)
}
