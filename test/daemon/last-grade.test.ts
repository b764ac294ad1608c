import { rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readLastGrade, writeLastGrade } from '../../src/daemon/last-grade.ts'
import { openDaemon, type TestDaemon } from '../support/daemon.ts'
import { createLogin, signIn } from '../support/dashboard.ts'
import { newFolder } from '../support/folders.ts'
import { assert, suite } from '../support/suite.ts'
import { createKeyedSandbox, SCENES, send } from './dashboard/dashboard-requests.ts'

const test = suite('daemon/last-grade')

let daemon: TestDaemon

test.before(async () => {
  daemon = await openDaemon({ createScenes: () => SCENES })
})

test.after(() => daemon?.stop())

const KEY = `paysk_test_${'a'.repeat(32)}`
const REPORT = { object: 'grade', created: 1_800_000_000, classes: [{ evidence: [`used ${KEY}`] }] }

test('a private file keeps the report, and secrets that an app logged are masked', async () => {
  const home = newFolder()
  assert.equal(await readLastGrade(home), { data: null, problem: null })
  await writeLastGrade(home, REPORT, () => 'test')
  const masked = { ...REPORT, classes: [{ evidence: ['used paysk_test_…'] }] }
  assert.equal(await readLastGrade(home), { data: masked, problem: null })
  if (process.platform !== 'win32') assert.is(statSync(join(home, 'grade.json')).mode & 0o777, 0o600)
})

test('a symbolic link is not read', async () => {
  const [home, other] = [newFolder(), join(newFolder(), 'other.json')]
  writeFileSync(other, '{}')
  symlinkSync(other, join(home, 'grade.json'))
  const { data, problem } = await readLastGrade(home)
  assert.is(data, null)
  assert.match(problem ?? '', 'symbolic link')
})

for (const text of ['{"classes": [', '[]', '{}']) {
  test(`a browser gets the problem and its fix when the file contains ${text}`, async () => {
    const { headers } = await signIn(daemon)
    writeFileSync(join(daemon.home, 'grade.json'), text)
    const { status, text: body } = await send(daemon, '/dashboard/default/grade', headers)
    rmSync(join(daemon.home, 'grade.json'))
    const { data, problem } = JSON.parse(body)
    assert.equal([status, data], [200, null])
    assert.match(problem, /grade\.json is damaged\. Run paycli grade again: it replaces the file\./)
  })
}

test('a browser that a key of the default sandbox signed in gets the report, another browser does not', async () => {
  const own = await createKeyedSandbox(daemon, 'own')
  const bound = (await signIn(daemon, await createLogin(daemon, own.key))).headers
  const { headers } = await signIn(daemon)
  const read = async (path: string, by: typeof headers) =>
    JSON.parse((await send(daemon, `/dashboard/${path}/grade`, by)).text).data
  assert.is(await read('default', headers), null)
  await writeLastGrade(daemon.home, REPORT, () => 'test')
  assert.is((await read('default', headers)).created, REPORT.created)
  assert.is((await read(own.id, headers)).created, REPORT.created)
  assert.is(await read(own.id, bound), null)
  assert.is((await send(daemon, '/dashboard/default/grade', bound)).status, 403)
  assert.is((await send(daemon, '/dashboard/default/grade', {})).status, 401)
})

test.run()
