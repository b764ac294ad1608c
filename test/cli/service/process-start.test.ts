import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readProcessStart } from '../../../src/cli/service/process-start.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/process-start')

test('returns the same start time for a running process, and null after it has ended', async () => {
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], {
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  await once(child, 'spawn')
  const { pid = 0 } = child
  const start = readProcessStart(pid)
  if (process.platform !== 'win32') assert.ok(start)
  assert.is(readProcessStart(pid), start)
  assert.is.not(readProcessStart(process.pid), start)
  child.stdin.end()
  await once(child, 'exit')
  assert.is(readProcessStart(pid), null)
})

test.run()
