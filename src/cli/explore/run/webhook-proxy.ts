import type { IncomingMessage, ServerResponse } from 'node:http'
import { isJsonObject, parseJson } from '../../../client/json-object.ts'
import { proxyRequest } from '../../../client/proxy-request.ts'
import { readBytes } from '../../webhook-tools/local-server.ts'
import { sendResponse } from './api-proxy.ts'
import type { App } from './app-process.ts'
import type { RunRecorder } from './run-recorder.ts'

export interface WebhookProxyOptions {
  /** The webhook URL of the app. */
  readonly target: string
  readonly recorder: RunRecorder
  readonly app: Pick<App, 'restart' | 'waitUntilReady'>
}

/** Forwards a webhook to the app, records it and kills the app where a restart is scheduled. */
export async function forwardWebhook(
  request: IncomingMessage,
  response: ServerResponse,
  { target, recorder, app }: WebhookProxyOptions,
): Promise<void> {
  const end = recorder.beginActivity()
  try {
    const body = await readBytes(request)
    const { id, type, summary } = describeEvent(body)
    const point = recorder.countDelivery(type)
    const restart = recorder.takeFault(point, (fault) => fault === 'restart')
    const moment = restart === null ? null : (restart.options.moment ?? 'before')
    const atMs = recorder.elapsedMs()
    const recorded = { ...{ point, event: id, summary, status: null, durationMs: 0 }, fault: null, atMs }
    recorder.deliveries.push(Object.assign(recorded, restart === null ? {} : { fault: 'restart' }))
    if (moment === 'before') return await app.restart()
    await app.waitUntilReady()
    const { origin, pathname, search } = new URL(target)
    const { method, headers } = request
    const upstream = await proxyRequest(origin, { method, url: pathname + search, headers }, body)
    const onStatus = (status: number) =>
      Object.assign(recorded, { status, durationMs: recorder.elapsedMs() - atMs })
    if (moment !== 'after') await sendResponse(upstream, response, onStatus)
    else upstream.resume()
    if (moment !== null) await app.restart()
  } finally {
    end()
    if (!response.writableEnded) response.destroy()
  }
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
