import { join } from 'node:path'
import { createClient } from '../../src/client/client.ts'
import { startServing } from '../commands/serving.ts'
import { newFolder } from '../support/folders.ts'
import { createWrittenSandboxes, findDamage, writeUntilKilled } from '../support/sandbox-writers.ts'
import { assert, suite } from '../support/suite.ts'
import { isFullRun } from '../support/test-level.ts'
import { newDatabase } from '../support/test-store.ts'

const KILLS = isFullRun() ? 20 : 4
const SANDBOXES = 20
/** The maximum number of acknowledged writes before each kill. The number differs by round. */
const MOST_WRITES = 120

const test = suite('scenarios/killed-sandboxes', {}, 180_000)

test(`each of ${SANDBOXES} sandboxes keeps its acknowledged writes over ${KILLS} kills`, async () => {
  // A database in memory does not survive a kill, so the test uses a file instead.
  const db = (await newDatabase()) ?? join(newFolder(), 'paycli.json')
  const flags = ['--db', db, '--log-format', 'silent']
  const env = { PAYCLI_HOME: newFolder() }
  const first = await startServing(flags, env)
  const { api_url: apiBase, api_key: apiKey } = first.location
  const sandboxes = await createWrittenSandboxes(createClient({ apiBase, apiKey }), SANDBOXES)
  for (let round = 0, serving = first; ; round += 1, serving = await startServing(flags, env)) {
    const damage = await findDamage(serving.location.api_url, sandboxes)
    assert.equal(damage, { ...damage, lost: 0, misplaced: 0, gaps: 0 }, `after ${round} kills`)
    if (round === KILLS) {
      serving.kill('SIGTERM')
      assert.is(await serving.ended, 0)
      break
    }
    let left = 1 + ((round * 37) % MOST_WRITES)
    await writeUntilKilled(serving.location.api_url, sandboxes, () => {
      left -= 1
      if (left === 0) serving.kill('SIGKILL')
    })
    assert.is(await serving.ended, 'SIGKILL')
  }
  assert.ok(sandboxes.every(({ acknowledged }) => acknowledged.length > 0))
})

test.run()
