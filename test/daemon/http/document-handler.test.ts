import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { createRateLimiter } from '../../../src/daemon/http/rate-limit.ts'
import { assert, suite } from '../../support/suite.ts'
import { type ServedSandbox, serveSandbox } from './serve-sandbox.ts'

const test = suite('daemon/http/document-handler')

let served: ServedSandbox

test.before(async () => {
  served = await serveSandbox()
})

test.after(() => served?.close())

const PATHS = ['/openapi.json', '/docs', '/docs/api/payment-sessions', '/docs/guides/test-cards']

/** Returns a response with its raw bytes, which `fetch` would decode. */
function get(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; bytes: Buffer }>(
    (resolve, reject) => {
      request(served.apiUrl + path, { method, headers, agent: false }, async (response) => {
        const bytes = Buffer.concat(await response.toArray())
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes })
      })
        .on('error', reject)
        .end()
    },
  )
}

/** Columns: Accept-Encoding header, chosen encoding, decoder of the encoding. */
const ENCODINGS: readonly (readonly [
  accept: string,
  chosen: string | undefined,
  decode: (b: Buffer) => Buffer,
])[] = [
  ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
  ['br;q=0.5, gzip', 'br', brotliDecompressSync],
  ['gzip', 'gzip', gunzipSync],
  ['gzip, br;q=0', 'gzip', gunzipSync],
  ['identity', undefined, (bytes) => bytes],
  ['deflate', undefined, (bytes) => bytes],
]

for (const path of PATHS) {
  test(`compresses ${path} with an encoding that the client accepts, and returns 304 for a matching ETag`, async () => {
    const plain = await get(path)
    assert.equal([plain.status, plain.headers['content-encoding']], [200, undefined])
    for (const [accept, chosen, decode] of ENCODINGS) {
      const { headers, bytes } = await get(path, { 'Accept-Encoding': accept })
      assert.equal([headers['content-encoding'], headers.vary], [chosen, 'Accept-Encoding'], accept)
      assert.ok(decode(bytes).equals(plain.bytes), accept)
      assert.is(headers['content-type'], plain.headers['content-type'])
      assert.is(headers['content-length'], String(bytes.length))
      if (chosen !== undefined) assert.ok(bytes.length < plain.bytes.length / 2, accept)
      const etag = String(headers.etag)
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await get(path, { 'Accept-Encoding': accept, 'If-None-Match': known })
        assert.equal([again.status, again.bytes.length, again.headers.etag], [304, 0, etag])
        assert.equal([again.headers['cache-control'], again.headers.vary], ['no-cache', 'Accept-Encoding'])
      }
      const other = await get(path, { 'Accept-Encoding': accept, 'If-None-Match': '"other"' })
      assert.is(other.status, 200)
    }
    const head = await get(path, { 'Accept-Encoding': 'br' }, 'HEAD')
    assert.equal([head.status, head.bytes.length, head.headers['content-encoding']], [200, 0, 'br'])
  })
}

test('sends a different ETag for each encoding of a document', async () => {
  const tags = await Promise.all(
    ['br', 'gzip', 'identity'].map(
      async (accept) => (await get('/docs', { 'Accept-Encoding': accept })).headers.etag,
    ),
  )
  assert.is(new Set(tags).size, 3)
})

test('serves the instructions for coding agents with the address of the server', async () => {
  const { status, headers, bytes } = await get('/llms.txt')
  assert.equal([status, headers['content-type']], [200, 'text/plain; charset=utf-8'])
  assert.match(bytes.toString(), `(${served.apiUrl}/openapi.json)`)
})

test('returns the result of a search, and 404 for a page that does not exist', async () => {
  const found = await get('/docs/search?q=3ds')
  assert.equal([found.status, found.headers['content-type']], [200, 'text/html; charset=utf-8'])
  assert.match(found.bytes.toString(), '/docs/guides/test-cards#3-d-secure')
  assert.is((await get('/docs/search')).status, 200)
  for (const path of ['/docs/api/none', '/docs/guides/no-guide', '/docs/guides/__proto__'])
    assert.is((await get(path)).status, 404, path)
})

test('limits requests for the API reference by client address, but not requests for /healthz or the API', async () => {
  const limited = await serveSandbox({}, { referenceLimit: createRateLimiter(2, () => 0) })
  const statuses: number[] = []
  for (const path of [...PATHS, ...PATHS]) statuses.push((await fetch(limited.apiUrl + path)).status)
  assert.equal(statuses, [200, 200, 200, 200, 429, 429, 429, 429])
  assert.is((await fetch(`${limited.apiUrl}/openapi.json`)).headers.get('retry-after'), '1')
  assert.is((await fetch(`${limited.apiUrl}/healthz`)).status, 200)
  assert.is((await fetch(`${limited.apiUrl}/v1/customers`)).status, 401)
  await limited.close()
})

test.run()
