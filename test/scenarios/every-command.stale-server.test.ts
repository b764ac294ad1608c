import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type FakeServer, startFakeServer } from '../client/fake-server.ts'
import { isolatedEnv, serviceCommands, withFlags } from '../support/every-command.ts'
import { newFolder } from '../support/folders.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('scenarios/every-command with another program at the address of a killed server')

const DOWN: Readonly<Record<string, number>> = { wait: 7 }
const KEY = 'paysk_test_stored'
const env = { ...isolatedEnv, PAYCLI_HOME: newFolder(), NO_COLOR: '1', FORCE_COLOR: '0' }
let stranger: FakeServer

test.before(async () => {
  stranger = await startFakeServer(() => ({ body: { status: 'ok', pid: process.pid } }))
  const record = {
    ...{ pid: process.pid, api_url: stranger.url, checkout_url: stranger.url, api_key: KEY },
    ...{ webhook_secret: 'whsec_1', db: null, server_secret: 'secret' },
  }
  writeFileSync(join(env.PAYCLI_HOME, 'daemon.json'), JSON.stringify(record), { mode: 0o600 })
})

test.after(() => stranger.stop())

const requireNoKey = () => assert.not.match(JSON.stringify(stranger.seen), KEY)

for (const command of serviceCommands) {
  test(`${command.id.replaceAll(':', ' ')} sends no key to the other program`, async () => {
    const { code, stdout, stderr } = await runCommand(withFlags(command, '--json'), env)
    requireNoKey()
    assert.is(code, DOWN[command.id] ?? 3, stderr)
    assert.is(stdout, '')
    if (DOWN[command.id] !== undefined) return
    const { error } = JSON.parse(stderr)
    assert.equal([error.type, error.code], ['connection_error', 'server_unproven'])
  })
}

for (const args of [['stop'], ['status', '--all'], ['customers', 'list', '--api-key', KEY]]) {
  test(`${args.join(' ')} sends no key to the other program`, async () => {
    await runCommand(args, env)
    requireNoKey()
  })
}

test.run()
