import { newFolder } from '../support/folders.ts'
import { postJson, sendRawText, sendRequest } from '../support/raw-http.ts'
import { assert, suite } from '../support/suite.ts'
import { startServing } from './serving.ts'

const test = suite('commands/serve.limits')

test('applies --rate-limit, --trust-proxy and --lenient', async () => {
  const serving = await startServing(
    ['--memory', '--log-format', 'silent', '--rate-limit', '1', '--trust-proxy', '--lenient'],
    { PAYCLI_HOME: newFolder() },
  )
  const { api_url, api_key, checkout_url } = serving.location
  const create = () => postJson(`${api_url}/v1/customers`, api_key, { email: 'ada@example.com', emial: 1 })
  const answers = await Promise.all(Array.from({ length: 60 }, create))
  const taken = answers.filter(({ status }) => status === 200)
  const refused = answers.filter(({ status }) => status === 429)
  assert.is(taken.length + refused.length, answers.length)
  // The limiter allows a burst of two requests, and one more request per second.
  assert.ok(taken.length >= 2 && refused.length > 0, `${taken.length} were taken`)
  for (const { headers } of answers) assert.match(headers['ratelimit-policy'] ?? '', 'q=1;w=1')
  for (const { headers } of taken) assert.is(headers['paycli-warning'], 'unknown parameters ignored: emial')
  const visits = Array.from({ length: 100 }, (_, at) =>
    sendRequest(`${checkout_url}/sessions/none`, { headers: { 'X-Forwarded-For': `203.0.113.${at}` } }),
  )
  assert.ok((await Promise.all(visits)).every(({ status }) => status === 404))
  serving.kill('SIGTERM')
  await serving.ended
})

test('responds to unusual request targets without a deprecation warning', async () => {
  const serving = await startServing(['--memory', '--log-format', 'silent'], { PAYCLI_HOME: newFolder() })
  const { api_url, checkout_url } = serving.location
  const statusOf = async (url: string, line: string) => {
    const head = [`${line} HTTP/1.1`, `Host: ${new URL(url).host}`, 'Connection: close', '', '']
    return (await sendRawText(url, head.join('\r\n'))).status
  }
  const statuses = [
    await statusOf(api_url, 'OPTIONS *'),
    await statusOf(checkout_url, 'OPTIONS *'),
    await statusOf(api_url, 'GET /healthz#fragment'),
  ]
  serving.kill('SIGTERM')
  assert.not.match(await serving.waitForStderr(/Stopped\./), 'DeprecationWarning')
  assert.equal(statuses, [404, 404, 200])
})

test.run()
