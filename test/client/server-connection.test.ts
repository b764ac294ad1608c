import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { resolveServerConnection } from '../../src/client/server-connection.ts'
import { newFolder } from '../support/folders.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('client/server-connection')

const LOCAL = { api_url: 'http://127.0.0.1:5000', api_key: 'paysk_test_local' }
const REMOTE = 'https://pay.example.com'

const CASES: readonly (readonly [
  env: object,
  locator: string | null,
  base: string,
  key: string | undefined,
])[] = [
  [{}, null, 'http://127.0.0.1:4100', undefined],
  [{}, JSON.stringify(LOCAL), LOCAL.api_url, LOCAL.api_key],
  [{}, 'not JSON', 'http://127.0.0.1:4100', undefined],
  [{}, '{"api_url":1}', 'http://127.0.0.1:4100', undefined],
  [{ PAYCLI_API_KEY: 'own' }, JSON.stringify(LOCAL), LOCAL.api_url, 'own'],
  [{ PAYCLI_API_BASE: `${LOCAL.api_url}/` }, JSON.stringify(LOCAL), LOCAL.api_url, LOCAL.api_key],
  [{ PAYCLI_API_BASE: REMOTE }, JSON.stringify(LOCAL), REMOTE, undefined],
  [{ PAYCLI_API_BASE: REMOTE, PAYCLI_API_KEY: 'own' }, 'not JSON', REMOTE, 'own'],
]

for (const [env, locator, apiBase, apiKey] of CASES) {
  test(`returns ${apiBase} with the key ${apiKey} for ${JSON.stringify(env)} and the locator file ${locator}`, () => {
    const home = newFolder()
    if (locator !== null) writeFileSync(join(home, 'daemon.json'), locator)
    const { apiBase: base, apiKey: key } = resolveServerConnection({ PAYCLI_HOME: home, ...env })
    assert.equal({ apiBase: base, apiKey: key }, { apiBase, apiKey })
  })
}

for (const [env, secret] of [
  [{}, 'secret'],
  [{ PAYCLI_API_KEY: 'own' }, 'secret'],
  [{ PAYCLI_API_BASE: LOCAL.api_url }, 'secret'],
  [{ PAYCLI_API_BASE: LOCAL.api_url, PAYCLI_API_KEY: 'own' }, undefined],
  [{ PAYCLI_API_BASE: REMOTE }, undefined],
] as const) {
  test(`${secret ? 'requires' : 'does not require'} a proof of the server for ${JSON.stringify(env)}`, () => {
    const home = newFolder()
    writeFileSync(join(home, 'daemon.json'), JSON.stringify({ ...LOCAL, server_secret: 'secret' }))
    assert.is(resolveServerConnection({ PAYCLI_HOME: home, ...env }).readServerSecret?.(), secret)
  })
}

test.run()
