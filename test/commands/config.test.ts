import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorResponse, startFakeServer } from '../client/fake-server.ts'
import { newFolder } from '../support/folders.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'
import type { Ended } from './paycli.ts'

const test = suite('commands/config')

let home: string

function run(...args: string[]): Promise<Ended> {
  return runCommand(args, { PAYCLI_HOME: home })
}

test.before.each(() => {
  home = newFolder()
})

test('commands use the address and key of a profile, and send the key only to that address', async () => {
  const server = await startFakeServer(() => ({ body: { id: 'cus_1' } }))
  assert.is((await run('config', 'set', 'api_base', server.url, '--profile', 'staging')).code, 0)
  assert.is((await run('config', 'set', 'api-key', 'paysk_staging', '--profile', 'staging')).code, 0)
  await run('customers', 'get', 'cus_1', '--profile', 'staging')
  const elsewhere = server.url.replace('127.0.0.1', 'localhost')
  await run('customers', 'get', 'cus_1', '--profile', 'staging', '--api-base', elsewhere)
  assert.is((await run('config', 'set', 'profile', 'staging')).code, 0)
  await run('customers', 'get', 'cus_1')
  await server.stop()
  const keys = server.seen.map(({ headers }) => headers['authorization'])
  assert.equal(keys, ['Bearer paysk_staging', undefined, 'Bearer paysk_staging'])
})

test('the error for a rejected key names the profile or the variable of the key', async () => {
  const server = await startFakeServer(() =>
    errorResponse(401, { type: 'authentication_error', code: 'api_key_invalid' }),
  )
  const hintOf = async (args: string[], env: Record<string, string> = {}) => {
    const words = ['customers', 'list', '--json', ...args]
    const { code, stderr } = await runCommand(words, { PAYCLI_HOME: home, ...env })
    assert.is(code, 4)
    return JSON.parse(stderr).error.hint
  }
  const command = 'paycli config set api_key <key> --profile staging'
  await run('config', 'set', 'api_base', server.url, '--profile', 'staging')
  assert.is(
    await hintOf(['--profile', 'staging']),
    `The profile 'staging' has no API key. Set the key: ${command}`,
  )
  await run('config', 'set', 'api_key', 'paysk_wrong', '--profile', 'staging')
  const named = `The key is from the profile 'staging'. Set another key: ${command}`
  assert.is(await hintOf(['--profile', 'staging']), named)
  await run('config', 'set', 'profile', 'staging')
  assert.is(await hintOf([]), named)
  const variable = { PAYCLI_API_KEY: 'paysk_wrong' }
  assert.is((await hintOf([], variable)).split('. ')[0], 'The key is the value of PAYCLI_API_KEY')
  assert.match(
    await hintOf(['--api-key', 'paysk_other'], variable),
    `No key of the server at ${server.url} is stored in ${home}`,
  )
  await server.stop()
})

test('config set profile selects the default profile by its name or an empty value', async () => {
  await run('config', 'set', 'api_base', 'http://127.0.0.1:1', '--profile', 'staging')
  for (const value of ['default', '']) {
    await run('config', 'set', 'profile', 'staging')
    assert.is((await run('config', 'set', 'profile', value)).code, 0)
    assert.is(JSON.parse((await run('config', 'list')).stdout).profile, 'default')
  }
  assert.match((await run('config', 'set', 'profile', 'nope')).stderr, 'Profiles: default, staging')
})

test('prints and removes settings, and lists only the last characters of a key', async () => {
  await run('config', 'set', 'api_key', 'paysk_secret_1234')
  const file = (await run('config', 'path')).stdout.trim()
  assert.is(file, join(home, 'config.json'))
  assert.is(statSync(file).mode & 0o777, 0o600)
  assert.is((await run('config', 'get', 'api_key')).stdout, 'paysk_secret_1234\n')
  assert.equal(JSON.parse((await run('config', 'list')).stdout), {
    profile: 'default',
    profiles: { default: { api_base: null, api_key: '…1234' } },
  })
  await run('config', 'set', 'api_key', '')
  const removed = await run('config', 'get', 'api_key')
  assert.equal([removed.code, removed.stdout], [2, ''])
  assert.match(removed.stderr, 'Set it: paycli config set api_key <value> --profile default')
})

test('config set reads a key from standard input for the value -', async () => {
  const set = (stdin: string) =>
    runCommand(['config', 'set', 'api_key', '-'], { PAYCLI_HOME: home }, { stdin })
  assert.is((await set('paysk_piped\n')).code, 0)
  assert.is((await run('config', 'get', 'api_key')).stdout, 'paysk_piped\n')
  const empty = await set('\n')
  assert.is(empty.code, 2)
  assert.match(empty.stderr, 'No key was set: standard input is empty.')
  assert.is((await run('config', 'get', 'api_key')).stdout, 'paysk_piped\n')
  assert.is((await set('sk_live_zzz')).code, 2)
})

const INVALID: readonly (readonly [args: string[], expected: RegExp])[] = [
  [
    ['config', 'get', 'nothing'],
    /Unknown setting 'nothing'\.\nHint: {2}Settings: api_base, api_key, profile/,
  ],
  [['config', 'set', 'api_base', 'nope'], /The API address 'nope' is not a URL/],
  [['config', 'set', 'api_key', 'a b'], /contains an invalid character/],
  [['config', 'set', 'api_key', 'sk_live_zzz'], /live key of another service.*The key was not stored\./],
  [['config', 'set', 'api_key', 'rk_live_zzz', '--profile', 'x'], /live key of another service/],
  [['config', 'set', 'profile', 'nope'], /Profile 'nope' does not exist/],
  [['customers', 'list', '--profile', 'nope'], /Profile 'nope' does not exist/],
]

for (const [args, expected] of INVALID) {
  test(`${args.join(' ')} is a usage error`, async () => {
    const { code, stdout, stderr } = await run(...args)
    assert.equal([code, stdout], [2, ''])
    assert.match(stderr, expected)
  })
}

test('prints the path of a damaged config file', async () => {
  writeFileSync(join(home, 'config.json'), '{')
  const { code, stderr } = await run('customers', 'list')
  assert.is(code, 2)
  assert.match(stderr, `${join(home, 'config.json')} is not a JSON object.`)
})

test.run()
