import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readScenario } from '../../../../src/cli/explore/run/scenario.ts'
import { newFolder } from '../../../support/folders.ts'
import { assert, suite } from '../../../support/suite.ts'

const test = suite('cli/explore/recorded-scenario')

/** Reads a scenario file that contains a value. */
function read(value: object) {
  const file = join(newFolder(), 'scenario.json')
  writeFileSync(file, JSON.stringify(value))
  return readScenario(file)
}

test('reads a recording, and still reads fixture files and commands', async () => {
  const requests = [{ method: 'POST', path: '/buy', body: 'x', status: 303 }, { complete: 'payment_session' }]
  assert.equal(await read({ $comment: ['Recorded.'], requests }), { requests })
  assert.ok('steps' in (await read({ fixtures: [{ path: '/v1/customers' }] })))
  assert.equal(await readScenario('./buy.sh'), { command: './buy.sh' })
})

test('rejects a recording with an unknown key or session', async () => {
  for (const step of [{ url: '/buy' }, { complete: 'portal_session' }, { status: 99 }]) {
    const problem = await read({ requests: [step] }).catch(String)
    assert.match(String(problem), /scenario\.json' is not a valid recording\./)
  }
})

test.run()
