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

test.run()
