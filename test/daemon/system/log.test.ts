import { createLog, type LogEntry } from '../../../src/daemon/system/log.ts'
import { openDaemon } from '../../support/daemon.ts'
import { postJson, sendRequest } from '../../support/raw-http.ts'
import { assert, suite } from '../../support/suite.ts'

const AT_MS = Date.UTC(2026, 2, 3, 10, 20, 30, 456)
const PAN = '4000000000000002'
const CVC = '7391'

const test = suite('daemon/system/log')

const request: LogEntry = {
  at_ms: AT_MS,
  level: 'info',
  message: 'request',
  method: 'POST',
  path: '/v1/customers',
  status: 200,
  duration_ms: 7,
  request_id: 'req_1',
}
const bug: LogEntry = { at_ms: AT_MS, level: 'error', message: 'it broke', stack: 'Error: x\n    at y.js:1' }

function written(format: Parameters<typeof createLog>[0], entry: LogEntry, width?: number): string {
  const lines: string[] = []
  createLog(
    format,
    (line) => lines.push(line),
    (work) => work(),
    width === undefined ? undefined : () => width,
  )(entry)
  return lines.join('')
}

test('formats a request as one line', () => {
  assert.is(written('pretty', request), '10:20:30.456  200  POST   /v1/customers  7 ms  req_1\n')
})

test('shortens times on a narrow terminal, and breaks longer requests between words, but no JSON', () => {
  const long = { ...request, path: '/v1/payment_sessions/py_sess_4bT9rWqLx2NcVzKd8Yh3JmPa/cancel' }
  assert.is(
    written('pretty', long, 60),
    '10:20:30  200  POST   /v1/payment_sessions/\n  py_sess_4bT9rWqLx2NcVzKd8Yh3JmPa/cancel  7 ms  req_1\n',
  )
  assert.match(written('pretty', { ...request, request_id: 'req_4bT9rWqLx2NcV' }, 50), '7 ms\n  req_')
  assert.is(written('json', long, 60), `${JSON.stringify(long)}\n`)
})

test('hides successful health checks in the pretty format', () => {
  const health = { ...request, method: 'GET', path: '/healthz' }
  assert.is(written('pretty', health), '')
  assert.match(written('pretty', { ...health, status: 500 }), '/healthz')
  assert.match(written('json', health), '/healthz')
})

test('logs the fault of a request before its stack', () => {
  const line = '10:20:30.456  200  POST   /v1/customers  7 ms  req_1  fault drop_response\n'
  assert.is(written('pretty', { ...request, fault: 'drop_response' }), line)
  assert.is(written('pretty', { ...request, fault: 'drop_response', stack: 'Error: x' }), `${line}Error: x\n`)
})

test('writes the stack of an internal error', () => {
  assert.is(written('pretty', bug), '10:20:30.456  it broke\nError: x\n    at y.js:1\n')
  assert.is(
    written('pretty', { ...request, stack: 'Error: x\n    at y.js:1' }),
    '10:20:30.456  200  POST   /v1/customers  7 ms  req_1\nError: x\n    at y.js:1\n',
  )
})

test('writes each entry as one line of JSON with its fields in order', () => {
  for (const entry of [request, bug]) {
    const line = written('json', entry)
    assert.is(line, `${JSON.stringify(entry)}\n`)
    assert.is(line.split('\n').length, 2)
  }
})

test('writes the log lines of an event loop turn together, and an error immediately after the earlier lines', () => {
  const writes: string[] = []
  const turnEnds: (() => void)[] = []
  const endTurn = () => {
    for (const work of turnEnds.splice(0)) work()
  }
  const log = createLog(
    'pretty',
    (lines) => writes.push(lines),
    (work) => turnEnds.push(work),
  )
  const line = written('pretty', request)
  log(request)
  log(request)
  assert.equal(writes, [])
  endTurn()
  log(request)
  log(bug)
  endTurn()
  assert.equal(writes, [line + line, line + written('pretty', bug)])
})

test('the silent format writes only fatal entries', () => {
  assert.is(written('silent', request) + written('silent', bug), '')
  const fatal: LogEntry = { at_ms: AT_MS, level: 'fatal', message: 'The disk failed: EIO' }
  assert.is(written('silent', fatal), '10:20:30.456  The disk failed: EIO\n')
})

const HOSTILE = {
  'color sequences': '\u001b[31mred',
  'a carriage return': 'ok\rfake',
  'line separators': 'a\u2028b\u2029c',
  'tag characters': 'a\u{e0041}b',
}

for (const [what, text] of Object.entries(HOSTILE)) {
  test(`escapes ${what} in text from clients`, () => {
    const entry = { ...request, path: `/${text}`, message: text, stack: `Error: ${text}\n    at x` }
    for (const format of ['pretty', 'json'] as const) {
      for (const one of [entry, { at_ms: AT_MS, level: 'error' as const, message: text, stack: text }]) {
        const line = written(format, one)
        assert.not.match(line.replaceAll('\n', ''), /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
        assert.match(line, '\\')
      }
    }
    assert.equal(JSON.parse(written('json', entry)), entry)
  })
}

test('masks card numbers in every field of a log entry', () => {
  const entry = {
    ...request,
    path: `/v1/customers/${PAN}`,
    message: `no ${PAN}`,
    stack: `Error: 4000 0000 0000 0002 is no id\n    at x (file.js:${PAN})`,
  }
  for (const format of ['pretty', 'json'] as const) {
    const line = written(format, entry)
    assert.not.match(line, /4000 ?0000 ?0000 ?0002/)
    assert.match(line, '[card number ending in 0002]')
  }
  assert.is(JSON.parse(written('json', entry)).at_ms, AT_MS)
})

test('masks API keys in every field of a log entry', () => {
  for (const key of ['paysk_test_4fK9aB', 'sk_live_4fK9aB', 'whsec_4fK9aB']) {
    const entry = { ...request, path: `/v1/customers/${key}`, message: `no ${key}`, stack: `Error: ${key}` }
    for (const format of ['pretty', 'json'] as const) {
      const line = written(format, entry)
      assert.not.match(line, '4fK9aB')
      assert.match(line, `/v1/customers/${key.slice(0, -6)}…`)
    }
  }
})

test('the log of a daemon contains no body, key or card number', async () => {
  // A fixed time whose digits do not contain the card code.
  const clock = { nowMs: () => AT_MS, now: () => Math.floor(AT_MS / 1000), move: () => {} }
  const daemon = await openDaemon({ clock })
  const { api_url, api_key, webhook_secret } = daemon.location
  const card = { number: PAN, exp_month: 12, exp_year: 2031, cvc: CVC }
  const headers = { Authorization: `Bearer ${api_key}`, 'Content-Type': 'application/json' }
  await postJson(`${api_url}/v1/customers`, api_key, { email: 'canary@example.com', card })
  await postJson(`${api_url}/v1/test_helpers/checkout_sessions/cks_1/complete`, api_key, { card })
  await sendRequest(`${api_url}/v1/customers`, {
    method: 'POST',
    headers,
    body: `{"card":"${PAN}","cvc":${CVC},`,
  })
  await sendRequest(`${api_url}/v1/customers?email=canary@example.com&key=${api_key}`, { headers })
  await sendRequest(`${api_url}/v1/customers/${PAN}`, { headers })
  await sendRequest(`${api_url}/v1/customers/${api_key}`, { headers })
  await sendRequest(`${api_url}/v1/customers/sk_live_${api_key}`, { headers })
  await sendRequest(`${api_url}/v1/customers`, { headers: { Authorization: `Bearer sk_live_${api_key}` } })
  await sendRequest(`${daemon.location.checkout_url}/sessions/${PAN}?number=${PAN}`)
  await daemon.stop()
  assert.is(daemon.log.length, 9)
  for (const format of ['pretty', 'json'] as const) {
    const text = daemon.log.map((entry) => written(format, entry)).join('')
    for (const secret of [PAN, CVC, api_key, webhook_secret, 'canary', 'sk_live_p']) {
      assert.not.match(text, secret)
    }
  }
})

test.run()
