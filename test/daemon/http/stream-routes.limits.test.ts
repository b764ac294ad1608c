import { once } from 'node:events'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import Koa from 'koa'
import { api } from '../../../src/api/api.ts'
import { digestApiKey } from '../../../src/api/core/auth.ts'
import { streamRoutes } from '../../../src/api/operations/streams.ts'
import { toQueryString } from '../../../src/client/request.ts'
import { createStreamRoutes } from '../../../src/daemon/http/stream-routes.ts'
import { STREAM_LIMITS } from '../../../src/daemon/streams/stream-limits.ts'
import { registerApiKey } from '../../../src/engine/sandbox-credentials.ts'
import { openDaemon, type TestDaemon } from '../../support/daemon.ts'
import { errorIn, postJson, sendRequest } from '../../support/raw-http.ts'
import { createSandbox } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'
import { openTestSandbox } from '../sandboxes/open-test-sandbox.ts'
import { firstTarget, readRoute, readStream } from '../streams/stream-reader.ts'
import { KEY } from './serve-sandbox.ts'

const test = suite('daemon/stream-routes limits')

const HOOK = 'http://127.0.0.1:3000/hook'

/** Runs a daemon during the work. */
async function withDaemon(rateLimit: number | null, work: (daemon: TestDaemon) => Promise<void>) {
  const daemon = await openDaemon(rateLimit === null ? {} : { rateLimit })
  try {
    await work(daemon)
  } finally {
    await daemon.stop()
  }
}

const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) })

for (const { path } of [streamRoutes.report, streamRoutes.leave]) {
  test(`rejects a body for ${path} that is too deep or too large or has invalid keys`, async () => {
    await withDaemon(null, async ({ location: { api_url, api_key } }) => {
      const send = (body: object, search = '') => postJson(`${api_url}${path}${search}`, api_key, body)
      const wide = Object.fromEntries(Array.from({ length: 2001 }, (_, at) => [`k${at}`, 1]))
      for (const body of [{ a: nested(32) }, wide, JSON.parse('{"__proto__":1}'), [1]]) {
        const answer = await send(body)
        assert.equal([answer.status, errorIn(answer)['code']], [400, 'invalid_json'])
      }
      const errors = errorIn(await send({}, '?now=1'))['errors'] as { param: string }[]
      assert.equal(errors.at(-1)?.param, 'now')
    })
  })
}

test('counts requests that open a stream toward the rate limit, but not requests that report a result', async () => {
  // The burst of 0.2 requests allows no request.
  await withDaemon(0.1, async ({ location: { api_url, api_key } }) => {
    const headers = { Authorization: `Bearer ${api_key}` }
    for (const { path } of [streamRoutes.events, streamRoutes.requestLogs]) {
      const refused = await sendRequest(`${api_url}${path}`, { headers })
      assert.equal([refused.status, errorIn(refused)['code']], [429, 'rate_limit'])
      assert.match(refused.headers['ratelimit'] ?? '', '"default";r=0;')
    }
    const reported = await postJson(`${api_url}${streamRoutes.report.path}`, api_key, {
      delivery: 'whd_none',
    })
    assert.equal(JSON.parse(reported.text), { object: 'webhook_result', delivery: 'whd_none', taken: false })
    const left = await postJson(`${api_url}${streamRoutes.leave.path}`, api_key, { reader: 'none' })
    assert.is(left.status, 200)
  })
})

test('validates the targets of a stream like endpoint URLs, except for private addresses', async () => {
  const strict = await openDaemon({ targets: { isPublicOnly: true, allowed: [] } })
  const { api_url, api_key } = strict.location
  const { host } = new URL(api_url)
  const refused = [
    ['http://user:secret@127.0.0.1:3000/', 'url_invalid'],
    ['http://169.254.169.254/latest/', 'webhook_target_blocked'],
    [`http://${host}/v1/customers`, 'webhook_target_blocked'],
    [`http://127.0.0.1:3000/${'x'.repeat(2048)}`, 'url_invalid'],
    ['http:/127.0.0.1:3000/', 'url_invalid'],
  ] as const
  for (const [url, code] of refused) {
    const query = toQueryString({ forward: [`*=${HOOK}`, `*=${url}`] })
    const headers = { Authorization: `Bearer ${api_key}` }
    const answer = await fetch(`${api_url}/v1/stream?${query}`, {
      headers,
      signal: AbortSignal.timeout(5000),
    })
    const { error } = JSON.parse(await answer.text())
    assert.equal([url, answer.status, error.code, error.param], [url, 400, code, 'forward[1]'])
  }
  assert.equal((await strict.call(api.webhookEndpoints.list, {})).data, [])
  const reading = await readStream(strict, { forward: [`*=${HOOK}`] })
  assert.is((await firstTarget(reading)).url, HOOK)
  reading.close()
  await strict.stop()
})

test('a listener of an exposed daemon may forward to the same port on its own machine', async () => {
  for (const exposed of [{ host: '0.0.0.0' }, { checkoutUrl: 'https://pay.example.test' }]) {
    const daemon = await openDaemon(exposed)
    const url = `http://127.0.0.1:${new URL(daemon.location.api_url).port}/hook`
    const reading = await readStream(daemon, { forward: [`*=${url}`] })
    assert.is(reading.response.statusCode, 200)
    reading.close()
    await daemon.stop()
  }
})

test('limits a key to 100 open streams', async () => {
  await withDaemon(null, async (daemon) => {
    const { perKey } = STREAM_LIMITS
    const readings = await Promise.all(Array.from({ length: perKey }, () => readStream(daemon)))
    const refused = await readRoute(daemon, { route: streamRoutes.requestLogs })
    assert.is(refused.response.statusCode, 429)
    assert.is(refused.response.headers['retry-after'], '5')
    refused.close()
    readings.pop()?.close()
    for (;;) {
      const next = await readStream(daemon)
      readings.push(next)
      if (next.response.statusCode === 200) break
      // The server has not noticed the closed stream yet.
      assert.is(next.response.statusCode, 429)
    }
    for (const reading of readings) reading.close()
  })
})

/** Creates a stream route with a function that creates the authenticated requests to it, whose responses are never sent. */
async function createRoute(path: string) {
  const sandbox = createSandbox()
  await registerApiKey(sandbox.runtime, { secret: KEY, digest: digestApiKey(KEY) })
  const [apiKey] = await sandbox.store.listOldest('api_keys', 1)
  const onError = (error: unknown) => assert.unreachable(String(error))
  const opened = await openTestSandbox(sandbox)
  const route = createStreamRoutes({
    ...{ onError, nowMs: () => 0, requireTarget: () => {}, yieldToEventLoop: async () => {} },
  }).find((one) => one.path === path)
  const app = new Koa()
  const createContext = (headers: IncomingMessage['headers'] = {}) => {
    const request = new IncomingMessage(new Socket())
    Object.assign(request, { url: path, method: 'GET', headers })
    const context = app.createContext(request, new ServerResponse(request))
    Object.assign(context.state, { apiKey, sandbox: opened })
    return context
  }
  const handle = async (context: ReturnType<typeof createContext>) => route?.handle(context as never)
  return { createContext, handle }
}

test('a client that disconnects during authentication does not count as a stream', async () => {
  const { createContext, handle } = await createRoute(streamRoutes.requestLogs.path)
  for (let count = 0; count <= STREAM_LIMITS.perKey; count += 1) {
    const context = createContext()
    context.req.socket.destroy()
    context.res.destroy()
    await once(context.res, 'close')
    await handle(context)
    assert.is(context.respond, false)
  }
})

test('a request that fails does not count as a stream while its response is not sent', async () => {
  const { createContext, handle } = await createRoute(streamRoutes.events.path)
  for (let count = 0; count <= STREAM_LIMITS.perKey; count += 1) {
    const error = await handle(createContext({ 'last-event-id': 'none' })).catch((one) => one)
    assert.is(error.code, 'parameter_invalid_integer')
  }
})

test.run()
