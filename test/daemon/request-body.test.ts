import { connect } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { api } from '../../src/api/index.ts'
import { assert, suite } from '../support/suite.ts'
import { type Answer, type Ask, ask, errorOf, fieldsOf } from '../support/wire.ts'
import { KEY, type Served, serveSandbox } from './served.ts'

const LIMIT_BYTES = 256 * 1024
const ADA = '{"email":"ada@example.com"}'

const test = suite('daemon/request-body')

let served: Served

test.before(async () => {
  served = await serveSandbox()
})

test.after(() => served?.close())

/** Posts a body that is JSON unless the headers say otherwise. */
function send(body: string | Buffer, given: Ask = {}): Promise<Answer> {
  const headers = { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json', ...given.headers }
  return ask(`${served.apiUrl}/v1/customers`, { method: 'POST', ...given, headers, body })
}

async function refused(answer: Promise<Answer>, status: number, code: string): Promise<string> {
  const given = await answer
  const { message, ...error } = errorOf(given)
  assert.equal([given.status, error['code']], [status, code], given.text)
  assert.match(given.headers['request-id'] ?? '', /^req_/)
  return String(message)
}

/** The body of a customer that has exactly so many bytes. */
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
  test(`a body of type ${type} is read`, async () => {
    const answer = await send(ADA, { headers: { 'Content-Type': type } })
    assert.is(answer.status, 200, answer.text)
    assert.is(fieldsOf(answer)['email'], 'ada@example.com')
  })
}

const WRONG_TYPES = [
  '',
  'text/plain',
  'text/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json-patch+json',
  'application/vnd.api+json',
  'application/json; charset=latin1',
  'application/json; charset=utf-16',
  'json',
]

for (const type of WRONG_TYPES) {
  test(`a body of type '${type}' is 415`, async () => {
    const message = await refused(
      send(ADA, { headers: { 'Content-Type': type } }),
      415,
      'unsupported_media_type',
    )
    assert.match(message, type === '' ? 'no Content-Type was sent' : 'another Content-Type was sent')
  })
}

test('a body without any type is 415', async () => {
  const headers = { Authorization: `Bearer ${KEY}` }
  const answer = ask(`${served.apiUrl}/v1/customers`, { method: 'POST', headers, body: ADA })
  await refused(answer, 415, 'unsupported_media_type')
})

test('no body needs no type, and stands for an empty object', async () => {
  const headers = { Authorization: `Bearer ${KEY}` }
  const answer = ask(`${served.apiUrl}/v1/customers`, { method: 'POST', headers })
  assert.match(await refused(answer, 400, 'parameter_missing'), 'email')
  const nothing = await served.sandbox.call(api.customers.list, {})
  assert.ok(nothing.data.length > 0)
})

test('a GET and a DELETE pass over a body', async () => {
  const headers = { Authorization: `Bearer ${KEY}`, 'Content-Type': 'text/plain' }
  const url = `${served.apiUrl}/v1/customers`
  assert.is((await ask(url, { headers, body: 'x' })).status, 200)
  await refused(ask(`${url}/cus_1`, { method: 'DELETE', headers, body: 'x' }), 404, 'resource_missing')
})

const NO_JSON = {
  'an open brace': '{',
  'half a body': '{"email":"ada@exa',
  'single quotes': "{'email':'ada@example.com'}",
  'a trailing comma': '{"email":"ada@example.com",}',
  'something behind it': `${ADA} x`,
  'two objects': `${ADA}${ADA}`,
  'a comment': `${ADA}//`,
  NaN: '{"email":NaN}',
  'bytes of UTF-16': Buffer.from(ADA, 'utf16le'),
  'a form': 'email=ada%40example.com',
  spaces: '   ',
  null: 'null',
  'a list': `[${ADA}]`,
  text: '"ada@example.com"',
  'a number': '42',
  true: 'true',
}

for (const [what, body] of Object.entries(NO_JSON)) {
  test(`${what} is 400 and not repeated`, async () => {
    const message = await refused(send(body), 400, 'invalid_json')
    assert.match(message, /JSON object/)
    assert.not.match(message, /exa$|'email'/)
  })
}

for (const isChunked of [false, true]) {
  const how = isChunked ? 'in chunks' : 'with its length'

  test(`a body of 256 KiB is read and one byte more is 413, sent ${how}`, async () => {
    const allowed = await send(sized(LIMIT_BYTES), { isChunked })
    assert.is(errorOf(allowed)['code'], 'parameter_unknown')
    await refused(send(sized(LIMIT_BYTES + 1), { isChunked }), 413, 'request_too_large')
  })
}

const PACKED = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }

for (const [encoding, pack] of Object.entries(PACKED)) {
  test(`a body packed with ${encoding} is read, and a bomb is 413`, async () => {
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
  test(`a body packed with ${encoding} is 415`, async () => {
    await refused(send(ADA, { headers: { 'Content-Encoding': encoding } }), 415, 'unsupported_media_type')
  })
}

test('a body is 32 levels deep at most', async () => {
  const nested = (levels: number) => `{"metadata":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
  assert.is.not(errorOf(await send(nested(32)))['code'], 'invalid_json')
  assert.match(await refused(send(nested(33)), 400, 'invalid_json'), 'deeper than 32 levels')
  assert.match(await refused(send(nested(100_000)), 400, 'invalid_json'), 'deeper than 32 levels')
})

test('a body has 2 000 values at most', async () => {
  const many = JSON.stringify({ email: 'ada@example.com', x: Array.from({ length: 2_001 }, () => 1) })
  assert.match(await refused(send(many), 400, 'invalid_json'), 'more than 2000 values')
})

for (const key of ['__proto__', 'constructor', 'prototype']) {
  test(`the key ${key} is refused wherever it is`, async () => {
    for (const body of [
      `{"${key}":{}}`,
      `{"email":"a@b.co","metadata":{"${key}":"x"}}`,
      `{"x":[{"${key}":1}]}`,
    ]) {
      const message = await refused(send(body), 400, 'invalid_json')
      // The parser itself refuses this one, before anything could name it.
      if (key !== '__proto__') assert.match(message, key)
    }
  })
}

/** The ways on which a body comes: as it is and with its length, in pieces, and packed. */
const WAYS: readonly (readonly [how: string, given: Ask, pack: (body: Buffer) => Buffer])[] = [
  ['with its length', {}, (body) => body],
  ['in pieces', { isChunked: true }, (body) => body],
  ['packed', { headers: { 'Content-Encoding': 'gzip' } }, gzipSync],
]

for (const [how, given, pack] of WAYS) {
  test(`a byte order mark is passed over, as RFC 8259 allows, in a body that comes ${how}`, async () => {
    const answer = await send(pack(Buffer.from(`\ufeff${ADA}`)), given)
    assert.is(fieldsOf(answer)['email'], 'ada@example.com')
  })

  test(`what is no UTF-8 is refused and not altered, in a body that comes ${how}`, async () => {
    for (const bytes of ['fffe', 'c3', 'eda080', 'c0af', 'f8888080']) {
      const name = Buffer.from(bytes, 'hex')
      const body = Buffer.concat([Buffer.from('{"email":"a@b.co","name":"'), name, Buffer.from('"}')])
      const message = await refused(send(pack(body), given), 400, 'invalid_json')
      assert.is(message, 'The body is not valid UTF-8. Encode it as UTF-8 and send it again.')
    }
  })

  test(`text beyond ASCII arrives as it was sent, in a body that comes ${how}`, async () => {
    const name = 'Zoë \u2028 🧾 日本語 \ufffd'
    const answer = await send(pack(Buffer.from(JSON.stringify({ email: 'a@b.co', name }))), given)
    assert.is(fieldsOf(answer)['name'], name)
  })
}

test('a body that comes in pieces and is empty is none', async () => {
  const answer = await send('', { isChunked: true })
  assert.match(await refused(Promise.resolve(answer), 400, 'parameter_missing'), 'email')
})

test('of a key that is there twice the last counts', async () => {
  const answer = await send('{"email":"a@example.com","email":"b@example.com"}')
  assert.is(fieldsOf(answer)['email'], 'b@example.com')
})

test('a body that comes in pieces is put together, also where one ends within a character', async () => {
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
    // The server reads it before the next one comes.
    await new Promise((resolve) => setImmediate(resolve))
  }
  await closed
  assert.match(Buffer.concat(received).toString(), `"name":"${name}"`)
})

test.run()
