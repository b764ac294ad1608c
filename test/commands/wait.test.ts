import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { openDaemon } from '../support/daemon.ts'
import { newFolder } from '../support/folders.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('commands/wait')

test('wait returns the key of a server that responds before it has written its state file', async () => {
  const [home, other] = [newFolder(), newFolder()]
  const daemon = await openDaemon({ home })
  const { api_url, api_key } = daemon.location
  const env = { PAYCLI_HOME: other, PAYCLI_API_BASE: api_url }
  const waiting = runCommand(['wait', '--field', 'api_key'], env)
  await setTimeout(500)
  copyFileSync(join(home, 'daemon.json'), join(other, 'daemon.json'))
  const { code, stdout } = await waiting
  await daemon.stop()
  assert.equal([code, stdout], [0, `${api_key}\n`])
})

test('wait reports a server without a state file after its time limit', async () => {
  const daemon = await openDaemon({ home: newFolder() })
  const env = { PAYCLI_HOME: newFolder(), PAYCLI_API_BASE: daemon.location.api_url }
  const { code, stdout } = await runCommand(['wait', '--timeout', '1s'], env)
  await daemon.stop()
  assert.equal([code, JSON.parse(stdout).api_key], [0, null])
})

test('commands name the variable or flag of an address without a server', async () => {
  const base = 'http://127.0.0.1:9'
  const env = { PAYCLI_HOME: newFolder() }
  const fromVariable = await runCommand(['customers', 'list'], { ...env, PAYCLI_API_BASE: base })
  assert.is(
    fromVariable.stderr,
    `Error: No paycli server at ${base}.\nHint:  The address is the value of PAYCLI_API_BASE. Correct or unset it. Start a server: paycli serve\n`,
  )
  const fromFlag = await runCommand(['customers', 'list', '--api-base', base], env)
  assert.match(fromFlag.stderr, 'Hint:  Correct --api-base, or omit it for the local server.')
})

test('wait exits with 7 when no server responds in time', async () => {
  const env = { PAYCLI_HOME: newFolder() }
  const { code, stdout, stderr } = await runCommand(
    ['wait', '--timeout', '1s', '--api-base', 'http://127.0.0.1:9'],
    env,
  )
  assert.equal([code, stdout], [7, ''])
  assert.is(stderr, 'Error: No server responded within 1s.\nHint:  Check --api-base or PAYCLI_API_BASE.\n')
  const json = await runCommand(
    ['wait', '--timeout', '1s', '--api-base', 'http://127.0.0.1:9', '--json'],
    env,
  )
  assert.equal([json.code, json.stdout], [7, ''])
  const { type, code: errorCode, hint } = JSON.parse(json.stderr).error
  assert.equal(
    [type, errorCode, hint],
    ['assertion_error', 'timeout', 'Check --api-base or PAYCLI_API_BASE.'],
  )
})

test.run()
