import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { makeTemporaryHome } from '../../../src/cli/service/temporary-home.ts'
import { newFolder } from '../../support/folders.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/temporary-home')

/** The number of a process that has ended. */
async function endedPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' })
  await once(child, 'close')
  return child.pid ?? 0
}

/** A home folder that an earlier run left. */
function leave(below: string, name: string, owner: string): string {
  const home = join(below, `paycli-run-${name}`)
  mkdirSync(home)
  writeFileSync(join(home, 'credentials.json'), '{"api_key":"paysk_test_left"}')
  writeFileSync(join(home, 'owner.json'), owner)
  return home
}

test('a folder that cannot be listed still takes a home', async () => {
  const below = newFolder()
  // Root lists it all the same.
  chmodSync(below, 0o300)
  assert.ok(existsSync(await makeTemporaryHome(below)))
  chmodSync(below, 0o700)
})

test('homes of killed runs are removed at the next start, and no others', async () => {
  const below = newFolder()
  const ended = await endedPid()
  const left = leave(below, 'left', JSON.stringify({ pid: ended, host: hostname() }))
  const kept = [
    leave(below, 'running', JSON.stringify({ pid: process.pid, host: hostname() })),
    leave(below, 'elsewhere', JSON.stringify({ pid: ended, host: 'another container' })),
    leave(below, 'unreadable', 'no JSON'),
    join(below, 'paycli-run-link'),
    join(below, 'other'),
  ]
  const target = leave(newFolder(), 'target', JSON.stringify({ pid: ended, host: hostname() }))
  symlinkSync(target, join(below, 'paycli-run-link'))
  mkdirSync(join(below, 'other'))
  const home = await makeTemporaryHome(below)
  assert.not(existsSync(left))
  assert.equal(
    readdirSync(below)
      .map((name) => join(below, name))
      .sort(),
    [...kept, home].sort(),
  )
  assert.ok(existsSync(join(target, 'credentials.json')))
})

test.run()
