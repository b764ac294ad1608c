import { join } from 'node:path'
import { createErrorReport } from '../../../src/cli/output/error-report.ts'
import { EXIT_CODES, getExitCode } from '../../../src/cli/output/exit-codes.ts'
import { startChildServer } from '../../../src/cli/serve/child-server.ts'
import { newFolder } from '../../support/folders.ts'
import { sendRequest } from '../../support/raw-http.ts'
import { ROOT } from '../../support/root.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/child-daemon')

const env = { ...process.env, PAYCLI_HOME: newFolder() }

test.before(() => {
  // The child runs the script of this process.
  process.argv[1] = join(ROOT, 'bin', 'run.js')
})

test('startChildServer() resolves when the daemon is ready, and stop() resolves when the daemon has ended', async () => {
  const daemon = await startChildServer(['--memory', '--port', '0'], env)
  const { api_url, api_key } = daemon.location
  const answer = await sendRequest(`${api_url}/v1/customers`, {
    headers: { Authorization: `Bearer ${api_key}` },
  })
  assert.is(answer.status, 200)
  await daemon.stop()
  assert.match(await sendRequest(`${api_url}/healthz`).then(String, String), 'ECONNREFUSED')
  await daemon.stop()
})

test('throws the error of a daemon that cannot start', async () => {
  const error = await startChildServer(['--forward-to', 'bad url'], env).catch((thrown: unknown) => thrown)
  assert.match(String(error), /^UsageError: The server did not start: Invalid webhook target 'bad url'/)
})

test('throws an error with the exit code of serve when the port is in use', async () => {
  const first = await startChildServer(['--memory', '--port', '0'], env)
  const port = new URL(first.location.api_url).port
  const taken = await startChildServer(['--memory', '--port', port], env).catch((thrown: unknown) => thrown)
  await first.stop()
  assert.is(getExitCode(createErrorReport(taken, { command: 'paycli exec' })), EXIT_CODES.rejected)
  assert.match(String(taken), `The server did not start: Port ${port} on 127.0.0.1 is already in use`)
})

test.run()
