import { streams } from '../../src/api/streams.ts'
import { openDaemon, type TestDaemon } from '../support/daemon.ts'
import { assert, suite } from '../support/suite.ts'
import { ask, errorOf, post } from '../support/wire.ts'

const test = suite('daemon/stream-routes limits')

/** Opens a daemon for as long as the work takes. */
async function withDaemon(rateLimit: number | null, work: (daemon: TestDaemon) => Promise<void>) {
  const daemon = await openDaemon(rateLimit === null ? {} : { rateLimit })
  try {
    await work(daemon)
  } finally {
    await daemon.stop()
  }
}

const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) })

for (const { path } of [streams.report, streams.leave]) {
  test(`a body to ${path} has the depth, the size and the keys of any other`, async () => {
    await withDaemon(null, async ({ location: { api_url, api_key } }) => {
      const send = (body: object, search = '') => post(`${api_url}${path}${search}`, api_key, body)
      const wide = Object.fromEntries(Array.from({ length: 2001 }, (_, at) => [`k${at}`, 1]))
      for (const body of [{ a: nested(32) }, wide, JSON.parse('{"__proto__":1}'), [1]]) {
        const answer = await send(body)
        assert.equal([answer.status, errorOf(answer)['code']], [400, 'invalid_json'])
      }
      const errors = errorOf(await send({}, '?now=1'))['errors'] as { param: string }[]
      assert.equal(errors.at(-1)?.param, 'now')
    })
  })
}

test('opening a stream counts for the limit of its key, and reporting does not', async () => {
  // Too little for a single request.
  await withDaemon(0.1, async ({ location: { api_url, api_key } }) => {
    const headers = { Authorization: `Bearer ${api_key}` }
    for (const { path } of [streams.events, streams.requestLogs]) {
      const refused = await ask(`${api_url}${path}`, { headers })
      assert.equal([refused.status, errorOf(refused)['code']], [429, 'rate_limit'])
      assert.match(refused.headers['ratelimit'] ?? '', '"default";r=0;')
    }
    const reported = await post(`${api_url}${streams.report.path}`, api_key, { delivery: 'whd_none' })
    assert.equal(JSON.parse(reported.text), { object: 'webhook_result', delivery: 'whd_none', taken: false })
    const left = await post(`${api_url}${streams.leave.path}`, api_key, { reader: 'none' })
    assert.is(left.status, 200)
  })
})

test.run()
