import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DaemonLocation } from '../../src/daemon/locator.ts'
import { newFolder } from '../support/folders.ts'
import { ROOT } from '../support/root.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'
import { paycli } from './paycli.ts'
import { startServing } from './serving.ts'

const test = suite('commands/serve: secrets')

/** Returns the secrets of a server that a text contains: the API key and the webhook secret. */
function secretsIn(
  text: string,
  { location }: { readonly location: Pick<DaemonLocation, 'api_key' | 'webhook_secret'> },
): string[] {
  return [location.api_key, location.webhook_secret].filter((secret) => text.includes(secret))
}

test('piped output, JSON logs and logs of detached servers contain no secrets', async () => {
  const own = { PAYCLI_HOME: newFolder() }
  for (const format of ['pretty', 'json']) {
    const serving = await startServing(['--memory', '--log-format', format], own)
    assert.equal(secretsIn(await serving.waitForStderr(/Requests are logged below/), serving), [])
    serving.kill('SIGTERM')
    await serving.ended
  }
  const started = await paycli(['serve', '--detach', '--memory', '--port', '0', '--json'], { env: own })
  const detached = { location: JSON.parse(started.stdout) }
  await runCommand(['stop'], own)
  const log = readFileSync(join(own.PAYCLI_HOME, 'serve.log'), 'utf8')
  assert.match(log, /paycli Ready in \d+ ms\n/)
  assert.equal(secretsIn(`${log}${started.stderr}`, detached), [])
})

test('prints the secrets on a terminal, but not in a JSON log', async () => {
  // Only the util-linux `script` provides a terminal.
  if (process.platform !== 'linux') return
  for (const [format, count] of [
    ['pretty', 2],
    ['json', 0],
  ] as const) {
    const own = newFolder()
    const line = `exec '${process.execPath}' '${join(ROOT, 'bin', 'run.js')}' serve --memory --port 0 --log-format ${format}`
    const child = spawn('script', ['-qec', line, '/dev/null'], {
      env: { ...process.env, PAYCLI_HOME: own },
    })
    let output = ''
    while (!output.includes('Requests are logged below'))
      output += String((await once(child.stdout, 'data'))[0])
    const location = JSON.parse(readFileSync(join(own, 'daemon.json'), 'utf8'))
    assert.is(secretsIn(output, { location }).length, count, format)
    process.kill(location.pid, 'SIGTERM')
    await once(child, 'close')
  }
})

test.run()
