import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { storeSandboxSecrets } from '../../../src/cli/service/sandbox-keys.ts'
import { readSigningSecret } from '../../../src/cli/webhook-tools/webhook-secret.ts'
import { newFolder } from '../../support/folders.ts'
import { assert, suite } from '../../support/suite.ts'
import { usageErrorFrom } from '../../support/usage-errors.ts'

const test = suite('cli/webhook-secret')

const ID = 'sbx_000000000000000000000001'
const KEY = `paysk_test_${ID.slice(4)}_${'k'.repeat(32)}`
const SERVER = { api_url: 'http://127.0.0.1:5000', api_key: 'paysk_test_local' }
const [OF_SERVER, OF_SANDBOX, OTHER] = ['server', 'sandbox', 'other'].map(
  (name) => `whsec_${Buffer.from(name.padEnd(24)).toString('base64')}`,
) as [string, string, string]

/** Returns an environment with a local server that has the sandbox `worker-1`. */
async function environment() {
  const env = { PAYCLI_HOME: newFolder() }
  writeFileSync(
    join(env.PAYCLI_HOME, 'daemon.json'),
    JSON.stringify({ ...SERVER, webhook_secret: OF_SERVER }),
  )
  const secrets = { api_key: KEY, webhook_secret: OF_SANDBOX, checkout_url: 'http://x' }
  await storeSandboxSecrets(env, SERVER.api_url, { id: ID, name: 'worker-1', created: 1, ...secrets })
  return env
}

const CASES: readonly (readonly [flags: object, variables: object, secret: string])[] = [
  [{}, {}, OF_SERVER],
  [{ secret: OTHER }, {}, OTHER],
  [{ sandbox: 'worker-1' }, {}, OF_SANDBOX],
  [{ 'api-key': KEY }, {}, OF_SANDBOX],
  [{ sandbox: 'worker-1', secret: OTHER }, {}, OTHER],
  [{ sandbox: 'worker-1', secret: OTHER }, { PAYCLI_WEBHOOK_SECRET: OTHER }, OF_SANDBOX],
  [
    { sandbox: 'default', secret: OTHER },
    { PAYCLI_WEBHOOK_SECRET: OTHER, PAYCLI_SANDBOX: 'worker-1' },
    OF_SERVER,
  ],
  [
    { sandbox: 'worker-1', secret: OTHER },
    { PAYCLI_WEBHOOK_SECRET: OTHER, PAYCLI_SANDBOX: 'worker-1' },
    OTHER,
  ],
]

for (const [flags, variables, secret] of CASES) {
  test(`returns ${secret} for the flags ${JSON.stringify(flags)} with the variables ${JSON.stringify(variables)}`, async () =>
    assert.is(readSigningSecret(Object(flags), { ...(await environment()), ...variables }), secret))
}

test('never returns the secret of the server for a sandbox whose secret is unknown', async () => {
  const env = await environment()
  const apiKey = KEY.replace('1_', '2_')
  assert.is(usageErrorFrom(() => readSigningSecret({ 'api-key': apiKey }, env)).code, 'flag_missing')
})

test('explains the error of a signing secret without repeating the secret', async () => {
  const env = await environment()
  const { message, hint } = usageErrorFrom(() => readSigningSecret({ secret: 'whsec_wrong' }, env))
  assert.match(message, '--secret or PAYCLI_WEBHOOK_SECRET: expected whsec_ followed by base64')
  assert.match(message, 'got 11 characters')
  assert.not.match(message, 'whsec_wrong')
  assert.match(hint ?? '', 'Omit it')
})

test.run()
