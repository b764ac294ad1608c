import type { IncomingMessage, ServerResponse } from 'node:http'
import { proxyConcurrentCopies, proxyRequest } from '../../../client/proxy-request.ts'
import { isJsonObject, parseJson } from '../../../domain/core/json-object.ts'
import { findSystemErrorCode, getErrorMessage } from '../../errors/error-fields.ts'
import { readBodyBytes } from '../../webhook-tools/local-server.ts'
import { findAppKillPhase } from '../model/schedule.ts'
import { forwardResponse } from './api-proxy.ts'
import type { ScenarioRun } from './run-context.ts'

/** Forwards a webhook to the app, records it, and applies the fault of the exploration that is scheduled for it. */
export async function forwardWebhook(
  request: IncomingMessage,
  response: ServerResponse,
  { target, recorder, app, barrier, stateWatch }: ScenarioRun,
): Promise<void> {
  const end = recorder.beginActivity()
  try {
    const body = await readBodyBytes(request)
    const { id, type, summary } = describeEvent(body)
    const point = recorder.countDelivery(type)
    const scheduled = recorder.takeFault(point)
    const moment = findAppKillPhase(scheduled)
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
    const onStatus = recorded.map(
      (one) => (status: number) => Object.assign(one, { status, durationMs: recorder.elapsedMs() - atMs }),
    )
    const upstream = await forwardCopies(request, body, target(), onStatus).finally(lower)
    if (moment === 'after') upstream.resume()
    else {
      onStatus[0]?.(upstream.statusCode ?? 502)
      await stateWatch.observe(point)
      await forwardResponse(upstream, response)
    }
    if (moment !== null) await app.restart()
  } catch (error) {
    recorder.connectionErrors.push(
      `the connection failed (${findSystemErrorCode(error) ?? getErrorMessage(error)})`,
    )
    throw error
  } finally {
    end()
    if (!response.writableEnded) response.destroy()
  }
}

/** Forwards a copy of a webhook for each function of `onStatus`; resolves with the first response after all copies. */
async function forwardCopies(
  { method, headers }: IncomingMessage,
  body: Buffer,
  target: string,
  onStatus: readonly ((status: number) => void)[],
): Promise<IncomingMessage> {
  const { origin, pathname, search } = new URL(target)
  const forwarded = { method, url: pathname + search, headers }
  const copies = onStatus.length
  if (copies === 1) return proxyRequest(origin, forwarded, body)
  const responses = await proxyConcurrentCopies(origin, forwarded, { body, copies })
  const readStatus = async (response: Promise<IncomingMessage>, copy: number) => {
    const upstream = await response
    if (copy === 0) return
    onStatus[copy]?.(upstream.statusCode ?? 502)
    upstream.resume()
  }
  // A copy without a response does not change the result of the first copy.
  await Promise.allSettled(responses.map(readStatus))
  const [first] = responses
  if (first === undefined) throw new Error('there were no copies')
  return first
}

// Returns the id and type of an event, and the type and status of its object.
function describeEvent(body: Buffer) {
  const value = parseJson(body.toString('utf8'))
  const { id, type, data } = isJsonObject(value) ? value : {}
  const inner = isJsonObject(data) ? data['object'] : null
  const { object, status } = isJsonObject(inner) ? inner : {}
  const words = [object, status].filter((word) => typeof word === 'string')
  return { id: String(id), type: String(type), summary: words.join(' ') }
}
