import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { createTemporaryHome } from '../../../src/cli/service/temporary-home.ts'
import { newFolder } from '../../support/folders.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/temporary-home')

/** Returns the id of a process that has ended. */
async function endedPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' })
  await once(child, 'close')
  return child.pid ?? 0
}

/** Creates the home folder of an earlier run. */
function createHome(below: string, name: string, owner: string): string {
  const home = join(below, `paycli-run-${name}`)
  mkdirSync(home)
  writeFileSync(join(home, 'credentials.json'), '{"api_key":"paysk_test_left"}')
  writeFileSync(join(home, 'owner.json'), owner)
  return home
}

test('creates a home folder in a parent folder that cannot be listed', async () => {
  const below = newFolder()
  // Root can list the folder nevertheless.
  chmodSync(below, 0o300)
  assert.ok(existsSync(await createTemporaryHome(below)))
  chmodSync(below, 0o700)
})

test('removes only the home folders of killed processes', async () => {
  const below = newFolder()
  const ended = await endedPid()
  const orphaned = createHome(below, 'left', JSON.stringify({ pid: ended, host: hostname() }))
  const kept = [
    createHome(below, 'running', JSON.stringify({ pid: process.pid, host: hostname() })),
    createHome(below, 'elsewhere', JSON.stringify({ pid: ended, host: 'another container' })),
    createHome(below, 'unreadable', 'no JSON'),
    join(below, 'paycli-run-link'),
    join(below, 'other'),
  ]
  const target = createHome(newFolder(), 'target', JSON.stringify({ pid: ended, host: hostname() }))
  symlinkSync(target, join(below, 'paycli-run-link'))
  mkdirSync(join(below, 'other'))
  const home = await createTemporaryHome(below)
  assert.not(existsSync(orphaned))
  assert.equal(
    readdirSync(below)
      .map((name) => join(below, name))
      .sort(),
    [...kept, home].sort(),
  )
  assert.ok(existsSync(join(target, 'credentials.json')))
})

test.run()
