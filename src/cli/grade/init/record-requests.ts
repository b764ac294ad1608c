import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { proxyRequest, withoutHopByHopHeaders } from '../../../client/proxy-request.ts'
import { forwardResponse } from '../../explore/run/api-proxy.ts'
import { openProxyServer } from '../../explore/run/local-servers.ts'
import {
  HOSTED_SESSIONS,
  type RecordedSessionType,
  type RecordedStep,
  toResponseText,
  VALUE,
} from '../../explore/run/recorded-scenario.ts'
import type { ScenarioRun } from '../../explore/run/run-context.ts'
import { listObjects } from '../../request/paginate.ts'
import { MAX_BODY_BYTES, readBodyBytes } from '../../webhook-tools/local-server.ts'

const MAX_STEPS = 200
const MAX_RECORDED_BYTES = 100_000
const MAX_SESSIONS = 100
/** The headers that change the behavior of an app. A replay uses its own cookies. */
const KEPT_HEADERS =
  /^(?:accept|authorization|content-type|hx-.+|next-.+|rsc|x-csrf.*|x-xsrf.*|x-requested-with)$/
/** Requests for files, which do not change the state of an app. */
const FILES =
  /\.(?:avif|css|gif|ico|jpe?g|js|json|map|mjs|mp4|png|svg|txt|webmanifest|webp|woff2?)(?:\?|$)|^\/_next\/|^\/@/
const FILE_KINDS = /^(?:audio|font|image|manifest|script|serviceworker|style|track|video|worker)$/
const TEXTS = /^(?:text\/(?!event-stream)|application\/(?:.+\+)?(?:json|xml))/
/** The lengths of the text before a value, by which a replay finds the value. */
const ANCHOR_LENGTHS = [18, 36, 72, 144]

/**
 * Starts a proxy in front of the app of a run and calls `use` with its address. Resolves with the requests of the browser and
 * the completions of hosted pages, in order.
 */
export async function recordRequests(
  run: ScenarioRun,
  use: (url: string) => Promise<void>,
): Promise<readonly RecordedStep[]> {
  const { appUrl } = run.setup
  const steps: RecordedStep[] = []
  /** The text of the response to each step. */
  const texts: string[] = []
  const completed = new Set<string>()

  async function addCompletions(): Promise<void> {
    for (const type of Object.keys(HOSTED_SESSIONS) as RecordedSessionType[]) {
      const { found } = await listObjects(run.client, HOSTED_SESSIONS[type].list, {}, MAX_SESSIONS)
      for (const { id } of found.filter((one) => one.status === 'complete' && !completed.has(one.id))) {
        completed.add(id)
        steps.push({ complete: type })
      }
    }
  }

  /** Adds a request, unless it requests a static file or repeats the previous request. Returns its step, or null. */
  function addRequest(request: IncomingMessage, body: Buffer): RecordedStep | null {
    const { method = 'GET', url = '/', headers } = request
    const isFile = FILE_KINDS.test(String(headers['sec-fetch-dest'])) || (method === 'GET' && FILES.test(url))
    const last = steps.at(-1)
    const path = insertReferences(url, texts, 1)
    const isPoll = method === 'GET' && last?.method === 'GET' && last.path === path
    const isKept = body.length <= MAX_RECORDED_BYTES && isUtf8(body) && steps.length < MAX_STEPS
    if (isFile || isPoll || !isKept || /^(?:HEAD|OPTIONS)$/.test(method)) return null
    const kept = Object.entries(headers).filter(([name]) => KEPT_HEADERS.test(name))
    const step = {
      ...{ method, path },
      headers: Object.fromEntries(
        kept.map(([name, text]) => [name, insertReferences(String(text), texts, 8)]),
      ),
      ...(body.length > 0 && { body: insertReferences(body.toString('utf8'), texts, 8) }),
    }
    steps.push(step)
    return step
  }

  const proxy = await openProxyServer(async (request, response) => {
    const body = await readBodyBytes(request)
    await addCompletions()
    const step = addRequest(request, body)
    // If a request names the address of the proxy, the app creates links and return URLs to the proxy.
    const { method, url, headers } = request
    const upstream = await proxyRequest(appUrl, { method, url, headers, host: headers.host }, body)
    if (step !== null) Object.assign(step, { status: upstream.statusCode })
    const text = await sendResponse(upstream, response, appUrl)
    if (step !== null) texts[steps.indexOf(step)] = text
  })
  try {
    await use(proxy.url)
    await addCompletions()
    return steps
  } finally {
    await proxy.close()
  }
}

/** Sends a response to the browser, and resolves with its text. */
async function sendResponse(
  upstream: IncomingMessage,
  response: ServerResponse,
  appUrl: string,
): Promise<string> {
  const { statusCode = 502, headers } = upstream
  const { location } = headers
  if (location !== undefined) headers.location = location.replace(appUrl, '') || '/'
  const isText = TEXTS.test(headers['content-type'] ?? '') || location !== undefined
  if (!isText || Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES) {
    await forwardResponse(upstream, response)
    return ''
  }
  const body = await readBodyBytes(upstream)
  response.writeHead(statusCode, withoutHopByHopHeaders(headers)).end(body)
  return toResponseText(upstream, body)
}

/** Returns a text in which ids and tokens of earlier responses are references, because they differ in each replay. */
function insertReferences(text: string, texts: readonly string[], minLength: number): string {
  return text.replace(VALUE, (value) => {
    if (!/\d/.test(value) || /^v\d+$/.test(value) || value.length < minLength) return value
    for (let index = texts.length - 1; index >= 0; index -= 1) {
      const anchor = findAnchor(value, texts[index] ?? '')
      if (anchor !== null) return `{{${index + 1}|${anchor}}}`
    }
    return value
  })
}

/** Returns the text before a value in a response, if that text does not occur earlier; else null. */
function findAnchor(value: string, text: string): string | null {
  for (const { 0: found, index } of text.matchAll(VALUE)) {
    if (found !== value) continue
    const anchors = ANCHOR_LENGTHS.map((length) => text.slice(Math.max(0, index - length), index))
    const anchor = anchors.find((one) => !/[{}]{2}/.test(one) && text.indexOf(one) === index - one.length)
    if (anchor !== undefined && anchor !== '') return anchor
  }
  return null
}
