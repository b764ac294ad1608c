import { openDaemon } from '../support/daemon.ts'
import { sendRequest } from '../support/raw-http.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('daemon/start where other machines can reach the API')

for (const [place, options, status] of [
  ['on a local server', {}, 200],
  ['with a local API URL', { apiUrl: 'http://localhost:4100' }, 200],
  ['at an exposed address', { host: '0.0.0.0', apiUrl: 'http://staging.example:4100' }, 403],
  ['behind a proxy with a public API URL', { apiUrl: 'https://staging.example' }, 403],
  ['behind a trusted proxy', { isProxyTrusted: true }, 403],
] as const) {
  test(`a secret key ${status === 200 ? 'adds' : 'does not add'} faults ${place}`, async () => {
    const daemon = await openDaemon(options)
    const { api_url, api_key } = daemon.location
    const port = new URL(api_url).port
    const response = await sendRequest(`http://127.0.0.1:${port}/v1/test_helpers/faults`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${api_key}`, 'Content-Type': 'application/json' },
      body: '{"type":"swap"}',
    })
    assert.is(response.status, status, response.text)
    await daemon.stop()
  })
}

test.run()
