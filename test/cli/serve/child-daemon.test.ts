import { join } from 'node:path'
import { EXIT_CODES, exitCodeOf } from '../../../src/cli/output/exit-codes.ts'
import { startChildDaemon } from '../../../src/cli/serve/child-daemon.ts'
import { newFolder } from '../../support/folders.ts'
import { ROOT } from '../../support/root.ts'
import { assert, suite } from '../../support/suite.ts'
import { ask } from '../../support/wire.ts'

const test = suite('cli/child-daemon')

const env = { ...process.env, PAYCLI_HOME: newFolder() }

test.before(() => {
  // It starts the program that it is itself a part of.
  process.argv[1] = join(ROOT, 'bin', 'run.js')
})

test('it resolves once the service answers, and stopping resolves when that is gone', async () => {
  const daemon = await startChildDaemon(['--memory', '--port', '0'], env)
  const { api_url, api_key } = daemon.location
  const answer = await ask(`${api_url}/v1/customers`, { headers: { Authorization: `Bearer ${api_key}` } })
  assert.is(answer.status, 200)
  await daemon.stop()
  assert.match(await ask(`${api_url}/healthz`).then(String, String), 'ECONNREFUSED')
  await daemon.stop()
})

test('a service that cannot start is an error with what it said', async () => {
  const error = await startChildDaemon(['--forward-to', 'bad url'], env).catch((thrown: unknown) => thrown)
  assert.match(String(error), /^UsageError: The service did not start: 'bad url' is no place to forward/)
})

test('one whose port is taken is refused as serve is', async () => {
  const first = await startChildDaemon(['--memory', '--port', '0'], env)
  const port = new URL(first.location.api_url).port
  const taken = await startChildDaemon(['--memory', '--port', port], env).catch((thrown: unknown) => thrown)
  await first.stop()
  assert.is(exitCodeOf(taken), EXIT_CODES.refused)
  assert.match(String(taken), `The service did not start: Port ${port} on 127.0.0.1 is already in use`)
})

test.run()
