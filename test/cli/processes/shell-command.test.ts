import type { ChildProcess } from 'node:child_process'
import { createProcessGroups } from '../../../src/cli/processes/process-groups.ts'
import { runShellCommand } from '../../../src/cli/processes/shell-command.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/processes/shell-command')

function run(command: string) {
  const groups = createProcessGroups(() => {})
  return runShellCommand(command, { env: process.env, groups, timeoutMs: 30_000 })
}

test('returns stdout separately and combined with stderr', async () => {
  const { code, stdout, output, problem } = await run('echo shown; echo failed >&2; exit 3')
  assert.equal([code, stdout, problem], [3, 'shown\n', 'exit code 3'])
  assert.match(output, 'failed')
})

test('kills a command that prints more than the maximum output', async () => {
  const { code, stdout, problem } = await run('yes')
  assert.equal([code, problem], [null, 'more than 16 MiB of output'])
  assert.ok(stdout.length <= 16 * 1024 * 1024)
})

test('reports a timeout for a command that cannot be killed, such as a process of another user', async () => {
  const groups = createProcessGroups(() => {})
  const kill = (child: ChildProcess) => {
    groups.kill(child)
    child.emit('error', new Error('kill EPERM'))
  }
  const options = { env: process.env, groups: { ...groups, kill }, timeoutMs: 50 }
  const { code, problem } = await runShellCommand('sleep 30', options)
  assert.equal([code, problem], [null, 'no end within 0.05 s'])
})

test.run()
