import type { ServerResponse } from 'node:http'
import type { Context } from 'koa'
import { simulatedError } from '../../api/schema/http-errors.ts'
import type { Fault } from '../../domain/faults/faults.ts'
import { requireFaultAccess } from '../../domain/sandboxes/api-keys.ts'
import type { Runtime } from '../../engine/runtime.ts'
import type { OpenSandbox } from '../sandboxes/open-sandbox.ts'
import { withTimeout } from '../system/task-scheduling.ts'
import { isRequestFault, parseFaultHeader, type RequestFault } from './fault-header.ts'

/** The header with which a request names its own fault, and a response the fault that applied. */
const HEADER = 'Paycli-Fault'

/** The statuses in the request log of requests that were not executed and have no response. */
const UNEXECUTED = { dropped: 444, disconnected: 499 } as const

/** The interval at which a slow response sends a part of its body, unless one byte takes longer. */
const SLOW_INTERVAL_MS = 100

/** Applies the faults on requests. */
export interface RequestFaults {
  /**
   * Responds to a request of an operation, such as `payment_sessions.create`, with the fault that applies to it. Calls
   * `respond` immediately if no fault can apply.
   */
  readonly serve: (ctx: Context, operation: string, respond: () => Promise<void>) => Promise<void>
  /** Ends all waits of faults, now and later, so that every request can finish. */
  readonly stop: () => void
}

/** A fault that applies to a request; `id` is null if the request named it. */
interface AppliedFault extends RequestFault {
  readonly id: string | null
}

/** Creates the object that applies faults to the requests of an app. */
export function createRequestFaults(): RequestFaults {
  const waits = createWaits()

  async function apply(ctx: Context, fault: AppliedFault, respond: () => Promise<void>): Promise<void> {
    const name = fault.id ?? fault.type
    ctx.state.fault = name
    ctx.set(HEADER, name)
    const { type, options } = fault
    if (type === 'error') throw simulatedError(options, fault.id)
    if (type === 'drop_request') {
      ctx.status = UNEXECUTED.dropped
      ctx.state.sendResponse = () => closeConnection(ctx.res)
      return
    }
    if (type !== 'delay_request') {
      ctx.state.sendResponse = () => sendWithFault(ctx, { type, options }, waits)
      return respond()
    }
    await waits.wait(ctx.res, options.delay_ms ?? 0)
    if (ctx.res.closed) ctx.status = UNEXECUTED.disconnected
    else await respond()
  }

  async function find(
    ctx: Context,
    operation: string,
    { runtime, header }: FindOptions,
  ): Promise<AppliedFault | null> {
    const own = header === undefined ? null : readHeader(ctx, runtime, String(header))
    if (!runtime.faults.has('request')) return own
    const point = { kind: 'request', operation, customer: customerOf(ctx) } as const
    return toAppliedFault(await runtime.faults.select(point)) ?? own
  }

  return {
    serve(ctx, operation, respond) {
      const { runtime } = requireSandbox(ctx)
      const header = ctx.req.headers['paycli-fault']
      if (header === undefined && !runtime.faults.has('request')) return respond()
      return find(ctx, operation, { runtime, header }).then((fault) =>
        fault === null ? respond() : apply(ctx, fault, respond),
      )
    },
    stop: waits.end,
  }
}

interface FindOptions {
  readonly runtime: Runtime
  readonly header: string | string[] | undefined
}

function requireSandbox({ state, path }: Context): OpenSandbox {
  if (state.sandbox === undefined) throw new Error(`${path} has no scope`)
  return state.sandbox
}

function readHeader({ state }: Context, { isExposed = false }: Runtime, header: string): AppliedFault {
  if (state.apiKey !== undefined) requireFaultAccess(state.apiKey, isExposed)
  return { ...parseFaultHeader(header), id: null }
}

function toAppliedFault(fault: Fault | null): AppliedFault | null {
  if (fault === null || !isRequestFault(fault.type)) return null
  return { type: fault.type, options: fault, id: fault.id }
}

/** Returns the customer of a request: the object of its path, or the parameter `customer`. */
function customerOf({ params, query, request }: Context): string | null {
  if (String(params['id']).startsWith('cus_')) return params['id']
  const { customer = query['customer'] }: { customer?: unknown } = Object(request.body)
  return typeof customer === 'string' ? customer : null
}

/** Sends a finished response with a fault; Koa sends nothing more. */
async function sendWithFault(ctx: Context, { type, options }: RequestFault, waits: Waits): Promise<void> {
  const { res, method } = ctx
  if (type === 'delay_response') return waits.wait(res, options.delay_ms ?? 0)
  // A response to HEAD has no body.
  const body = Buffer.from(typeof ctx.body === 'string' && method !== 'HEAD' ? ctx.body : '')
  if (type === 'slow_response')
    return sendSlowly(res, body, { ...waits, perSecond: options.bytes_per_second ?? 1 })
  // Content-Length is that of the whole body, so the client detects the truncation.
  if (type === 'truncate_response') await write(res, body.subarray(0, Math.floor(body.length / 2)))
  await closeConnection(res)
}

interface SlowOptions extends Waits {
  readonly perSecond: number
}

async function sendSlowly(
  res: ServerResponse,
  body: Buffer,
  { perSecond, wait, isEnded }: SlowOptions,
): Promise<void> {
  const size = Math.max(1, Math.round((perSecond * SLOW_INTERVAL_MS) / 1000))
  let at = 0
  for (; at + size < body.length && !res.closed && !isEnded(); at += size) {
    await write(res, body.subarray(at, at + size))
    await wait(res, (size * 1000) / perSecond)
  }
  res.end(body.subarray(at))
}

/** Resolves when a part of the body is passed to the operating system, or when the connection is closed. */
async function write(res: ServerResponse, part: Buffer): Promise<void> {
  if (res.closed) return
  await untilClosed(res, (resolve) => res.write(part, () => resolve()))
}

/** Closes the connection of a response, after all earlier responses on it were sent. */
async function closeConnection(res: ServerResponse): Promise<void> {
  // Node.js gives a response its socket when it is the next one to send.
  if (res.socket === null && !res.closed)
    await untilClosed(res, (resolve) => res.once('socket', () => resolve()))
  res.socket?.destroy()
}

/** Resolves when `start` calls its argument, or when the connection is closed. */
async function untilClosed(res: ServerResponse, start: (resolve: () => void) => void): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  res.once('close', resolve)
  start(resolve)
  await promise
  res.off('close', resolve)
}

/** Waits that end early when the client disconnects, or all at once. */
interface Waits {
  readonly wait: (res: ServerResponse, ms: number) => Promise<void>
  readonly end: () => void
  readonly isEnded: () => boolean
}

function createWaits(): Waits {
  const running = new Set<() => void>()
  let isEnded = false
  return {
    async wait(res, ms) {
      if (isEnded || res.closed) return
      const { promise, resolve } = Promise.withResolvers<void>()
      running.add(resolve)
      res.once('close', resolve)
      await withTimeout(promise, ms)
      running.delete(resolve)
      res.off('close', resolve)
    },
    end() {
      isEnded = true
      for (const resolve of running) resolve()
    },
    isEnded: () => isEnded,
  }
}
