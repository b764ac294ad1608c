import { formatPlainHttpWarning } from '../../../src/cli/serve/plain-http.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/plain-http')

const LOCAL = {
  api_url: 'http://127.0.0.1:4100',
  public_api_url: null,
  checkout_url: 'http://localhost:4101',
}

/** Columns: location, addresses that the warning names. */
const LOCATIONS: readonly (readonly [
  location: Parameters<typeof formatPlainHttpWarning>[0],
  named: readonly string[],
  host?: string,
])[] = [
  [LOCAL, []],
  [{ ...LOCAL, api_url: 'http://[::1]:4100' }, []],
  [{ ...LOCAL, api_url: 'http://10.0.0.5:4100' }, ['http://10.0.0.5:4100']],
  [{ ...LOCAL, public_api_url: 'http://staging.test' }, ['http://staging.test']],
  [{ ...LOCAL, public_api_url: 'https://staging.test' }, []],
  [
    { ...LOCAL, public_api_url: 'http://a.test', checkout_url: 'http://b.test' },
    ['http://a.test', 'http://b.test'],
  ],
  [{ ...LOCAL, checkout_url: 'http://localhost.evil.test' }, ['http://localhost.evil.test']],
  [LOCAL, ['http://0.0.0.0:4100', 'http://0.0.0.0:4101'], '0.0.0.0'],
  [LOCAL, ['http://[::]:4100', 'http://[::]:4101'], '::'],
  [LOCAL, [], '::1'],
  [{ ...LOCAL, public_api_url: 'https://a.test', checkout_url: 'https://b.test' }, [], '0.0.0.0'],
]

for (const [location, named, host = '127.0.0.1'] of LOCATIONS) {
  test(`warns about plain HTTP at ${named.join(', ') || 'no address'} for ${JSON.stringify(location)} on host ${host}`, () => {
    const warning = formatPlainHttpWarning({ ...location }, host)
    assert.is(warning === null, named.length === 0)
    for (const url of named) assert.match(warning ?? '', url)
  })
}

test.run()
