import type { IncomingMessage, ServerResponse } from 'node:http'
import { proxyRequest, proxyRequestCopies } from '../../../client/proxy-request.ts'
import { isJsonObject, parseJson } from '../../../domain/core/json-object.ts'
import { readBodyBytes } from '../../webhook-tools/local-server.ts'
import { isConcurrentDuplicate } from '../model/schedule.ts'
import { forwardResponse } from './api-proxy.ts'
import type { AppProcess } from './app-process.ts'
import type { RequestBarrier } from './request-barrier.ts'
import type { RunRecorder } from './run-recorder.ts'

export interface WebhookProxyOptions {
  /** The webhook URL of the app. */
  readonly target: string
  readonly recorder: RunRecorder
  readonly app: Pick<AppProcess, 'restart' | 'waitUntilReady'>
  readonly barrier: Pick<RequestBarrier, 'raise'>
}

/** Forwards a webhook to the app, records it, and applies the fault of the exploration that is scheduled for it. */
export async function forwardWebhook(
  request: IncomingMessage,
  response: ServerResponse,
  { target, recorder, app, barrier }: WebhookProxyOptions,
): Promise<void> {
  const end = recorder.beginActivity()
  try {
    const body = await readBodyBytes(request)
    const { id, type, summary } = describeEvent(body)
    const point = recorder.countDelivery(type)
    const scheduled = recorder.takeFault(
      point,
      (one) => one.fault === 'restart' || isConcurrentDuplicate(one),
    )
    const moment = scheduled?.fault === 'restart' ? (scheduled.options.moment ?? 'before') : null
    const copies = scheduled?.fault === 'duplicate' ? (scheduled.options.copies ?? 2) : 1
    const fault = scheduled?.fault ?? null
    const atMs = recorder.elapsedMs()
    const recorded = Array.from({ length: copies }, () => ({
      ...{ point, event: id, summary, status: null, durationMs: 0, fault, atMs },
    }))
    recorder.deliveries.push(...recorded)
    if (moment === 'before') return await app.restart()
    await app.waitUntilReady()
    const lower = copies === 1 ? () => {} : barrier.raise(copies)
    const onStatus = (copy: number, status: number) =>
      Object.assign(recorded[copy] ?? {}, { status, durationMs: recorder.elapsedMs() - atMs })
    const upstream = await forwardCopies(request, { target, body, copies, onStatus }).finally(lower)
    if (moment !== 'after') await forwardResponse(upstream, response, (status) => onStatus(0, status))
    else upstream.resume()
    if (moment !== null) await app.restart()
  } finally {
    end()
    if (!response.writableEnded) response.destroy()
  }
}

interface ForwardCopiesOptions {
  readonly target: string
  readonly body: Buffer
  readonly copies: number
  /** Called with the status of each copy but the first, whose response is returned. */
  readonly onStatus: (copy: number, status: number) => void
}

/** Forwards concurrent copies of a webhook, or only one; resolves with the response to the first after all others have ended. */
async function forwardCopies(
  { method, headers }: IncomingMessage,
  { target, body, copies, onStatus }: ForwardCopiesOptions,
): Promise<IncomingMessage> {
  const { origin, pathname, search } = new URL(target)
  const forwarded = { method, url: pathname + search, headers }
  if (copies === 1) return proxyRequest(origin, forwarded, body)
  const responses = await proxyRequestCopies(origin, forwarded, { body, copies })
  const readStatus = async (response: Promise<IncomingMessage>, copy: number) => {
    const upstream = await response
    if (copy === 0) return
    onStatus(copy, upstream.statusCode ?? 502)
    upstream.resume()
  }
  // A copy without a response does not change the result of the first.
  await Promise.allSettled(responses.map(readStatus))
  const [first] = responses
  if (first === undefined) throw new Error('there were no copies')
  return first
}

interface EventSummary {
  readonly id: string
  readonly type: string
  /** The type and status of its object. */
  readonly summary: string
}

function describeEvent(body: Buffer): EventSummary {
  const value = parseJson(body.toString('utf8'))
  const { id, type, data } = isJsonObject(value) ? value : {}
  const inner = isJsonObject(data) ? data['object'] : null
  const { object, status } = isJsonObject(inner) ? inner : {}
  const words = [object, status].filter((word) => typeof word === 'string')
  return { id: String(id), type: String(type), summary: words.join(' ') }
}
