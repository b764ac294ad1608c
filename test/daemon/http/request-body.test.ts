import { connect } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { api } from '../../../src/api/api.ts'
import {
  errorIn,
  fieldsOf,
  type HttpRequestOptions,
  type HttpResponse,
  sendRequest,
} from '../../support/raw-http.ts'
import { assert, suite } from '../../support/suite.ts'
import { KEY, type ServedSandbox, serveSandbox } from './serve-sandbox.ts'

const LIMIT_BYTES = 256 * 1024
const ADA = '{"email":"ada@example.com"}'

const test = suite('daemon/http/request-body')

let served: ServedSandbox

test.before(async () => {
  served = await serveSandbox()
})

test.after(() => served?.close())

/** Posts a body, by default as JSON. */
function send(body: string | Buffer, options: HttpRequestOptions = {}): Promise<HttpResponse> {
  const headers = { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json', ...options.headers }
  return sendRequest(`${served.apiUrl}/v1/customers`, { method: 'POST', ...options, headers, body })
}

async function refused(response: Promise<HttpResponse>, status: number, code: string): Promise<string> {
  const options = await response
  const { message, ...error } = errorIn(options)
  assert.equal([options.status, error['code']], [status, code], options.text)
  assert.match(options.headers['request-id'] ?? '', /^req_/)
  return String(message)
}

/** Creates the body of a customer with an exact size in bytes. */
function sized(bytes: number): string {
  const bare = JSON.stringify({ email: 'ada@example.com', x: '' })
  return JSON.stringify({ email: 'ada@example.com', x: 'x'.repeat(bytes - bare.length) })
}

const TYPES = [
  'application/json',
  'Application/JSON',
  'application/json; charset=utf-8',
  'application/json;charset="UTF-8"',
]

for (const type of TYPES) {
  test(`accepts a body of type ${type}`, async () => {
    const response = await send(ADA, { headers: { 'Content-Type': type } })
    assert.is(response.status, 200, response.text)
    assert.is(fieldsOf(response)['email'], 'ada@example.com')
  })
}

const WRONG_TYPES = [
  '',
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/json-patch+json',
  'application/json; charset=utf-16',
  'json',
]

for (const type of WRONG_TYPES) {
  test(`returns 415 for a body of type '${type}'`, async () => {
    const message = await refused(
      send(ADA, { headers: { 'Content-Type': type } }),
      415,
      'unsupported_media_type',
    )
    assert.match(message, type === '' ? 'not with no Content-Type.' : `not with '${type}'.`)
    assert.is(
      message.includes(`With curl, use --json '{"email":"ada@example.com"}' instead of -d.`),
      type.endsWith('urlencoded'),
    )
  })
}

test('returns 415 for a body without a Content-Type', async () => {
  const headers = { Authorization: `Bearer ${KEY}` }
  const response = sendRequest(`${served.apiUrl}/v1/customers`, { method: 'POST', headers, body: ADA })
  await refused(response, 415, 'unsupported_media_type')
})

test('treats a missing body as an empty object', async () => {
  const headers = { Authorization: `Bearer ${KEY}` }
  const response = sendRequest(`${served.apiUrl}/v1/customers`, { method: 'POST', headers })
  assert.match(await refused(response, 400, 'parameter_missing'), 'email')
  const nothing = await served.sandbox.call(api.customers.list, {})
  assert.ok(nothing.data.length > 0)
})

test('ignores the body of GET and DELETE', async () => {
  const headers = { Authorization: `Bearer ${KEY}`, 'Content-Type': 'text/plain' }
  const url = `${served.apiUrl}/v1/customers`
  assert.is((await sendRequest(url, { headers, body: 'x' })).status, 200)
  await refused(
    sendRequest(`${url}/cus_1`, { method: 'DELETE', headers, body: 'x' }),
    404,
    'resource_missing',
  )
})

const NO_JSON = {
  'a truncated object': '{"email":"ada@exa',
  'single quotes': "{'email':'ada@example.com'}",
  'two objects': `${ADA}${ADA}`,
  'UTF-16 text': Buffer.from(ADA, 'utf16le'),
  'only spaces': '   ',
  null: 'null',
  'an array': `[${ADA}]`,
  'a string': '"ada@example.com"',
}

for (const [what, body] of Object.entries(NO_JSON)) {
  test(`returns 400 for a body with ${what} and does not repeat the body`, async () => {
    const message = await refused(send(body), 400, 'invalid_json')
    assert.match(message, /JSON object/)
    assert.not.match(message, /exa$|'email'/)
  })
}

for (const isChunked of [false, true]) {
  const how = isChunked ? 'in chunks' : 'with its length'

  test(`accepts a body of 256 KiB and returns 413 for one byte more, sent ${how}`, async () => {
    const allowed = await send(sized(LIMIT_BYTES), { isChunked })
    assert.is(errorIn(allowed)['code'], 'parameter_unknown')
    await refused(send(sized(LIMIT_BYTES + 1), { isChunked }), 413, 'request_too_large')
  })
}

const ENCODERS = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }

for (const [encoding, pack] of Object.entries(ENCODERS)) {
  test(`accepts a body compressed with ${encoding}, and returns 413 for a decompression bomb`, async () => {
    const headers = { 'Content-Encoding': encoding }
    assert.is((await send(pack(ADA), { headers })).status, 200)
    const bomb = pack(sized(50 * LIMIT_BYTES))
    assert.ok(bomb.length < LIMIT_BYTES)
    await refused(send(bomb, { headers }), 413, 'request_too_large')
    await refused(send(pack(ADA).subarray(0, 12), { headers }), 400, 'invalid_json')
    await refused(send('{}', { headers }), 400, 'invalid_json')
  })
}

for (const encoding of ['zstd', 'compress', 'x', 'gzip, gzip']) {
  test(`returns 415 for a body compressed with ${encoding}`, async () => {
    await refused(send(ADA, { headers: { 'Content-Encoding': encoding } }), 415, 'unsupported_media_type')
  })
}

/** Columns: how the body is sent, request options, function that encodes the body. */
const TRANSFERS: readonly (readonly [
  how: string,
  options: HttpRequestOptions,
  pack: (body: Buffer) => Buffer,
])[] = [
  ['with its length', {}, (body) => body],
  ['in chunks', { isChunked: true }, (body) => body],
  ['compressed', { headers: { 'Content-Encoding': 'gzip' } }, gzipSync],
]

for (const [how, options, pack] of TRANSFERS) {
  test(`ignores a byte order mark (RFC 8259) in a body sent ${how}`, async () => {
    const response = await send(pack(Buffer.from(`\ufeff${ADA}`)), options)
    assert.is(fieldsOf(response)['email'], 'ada@example.com')
  })

  test(`rejects invalid UTF-8 in a body sent ${how}`, async () => {
    for (const bytes of ['fffe', 'c3', 'eda080', 'c0af', 'f8888080']) {
      const name = Buffer.from(bytes, 'hex')
      const body = Buffer.concat([Buffer.from('{"email":"a@b.co","name":"'), name, Buffer.from('"}')])
      const message = await refused(send(pack(body), options), 400, 'invalid_json')
      assert.is(message, 'The body is not valid UTF-8. Encode it as UTF-8 and send it again.')
    }
  })

  test(`preserves text beyond ASCII in a body sent ${how}`, async () => {
    const name = 'Zoë \u2028 🧾 日本語 \ufffd'
    const response = await send(pack(Buffer.from(JSON.stringify({ email: 'a@b.co', name }))), options)
    assert.is(fieldsOf(response)['name'], name)
  })
}

test('treats an empty chunked body as a missing body', async () => {
  const response = await send('', { isChunked: true })
  assert.match(await refused(Promise.resolve(response), 400, 'parameter_missing'), 'email')
})

test('joins the packets of a body, even when a packet boundary splits a character', async () => {
  const name = '日本語'.repeat(50)
  const body = Buffer.from(JSON.stringify({ email: 'a@b.co', name }))
  const { hostname, port, host } = new URL(served.apiUrl)
  const head = [
    'POST /v1/customers HTTP/1.1',
    `Host: ${host}`,
    `Authorization: Bearer ${KEY}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Connection: close',
  ]
  const socket = connect(Number(port), hostname)
  socket.setNoDelay(true)
  const received: Buffer[] = []
  socket.on('data', (chunk) => received.push(chunk))
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  for (let at = 0; at < body.length; at += 100) {
    socket.write(body.subarray(at, at + 100))
    // Lets the server read each packet separately.
    await new Promise((resolve) => setImmediate(resolve))
  }
  await closed
  assert.match(Buffer.concat(received).toString(), `"name":"${name}"`)
})

test.run()
