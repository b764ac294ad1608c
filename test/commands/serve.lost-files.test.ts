import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openDaemon } from '../support/daemon.ts'
import { newFolder } from '../support/folders.ts'
import { postJson, sendRequest } from '../support/raw-http.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'
import type { Ended } from './paycli.ts'
import { type Serving, startServing } from './serving.ts'

const test = suite<{ db: string; serving: Serving }>('commands/serve lost files')

/** Starts a server with a clean snapshot and one acknowledged change in its journal. */
test.before.each(async (context) => {
  context.db = join(newFolder(), 'shop.json')
  const first = await openDaemon({ db: context.db })
  await createCustomer(first)
  await first.stop()
  context.serving = await start(context.db)
  await createCustomer(context.serving)
})

test.after.each(({ serving }) => serving.kill('SIGKILL'))

const start = (db: string) => startServing(['--db', db], { PAYCLI_HOME: newFolder() })

const createCustomer = async ({ location: { api_url, api_key } }: Pick<Serving, 'location'>) =>
  (await postJson(`${api_url}/v1/customers`, api_key, { email: 'ada@example.com' })).status

const readiness = async ({ location: { api_url } }: Serving) =>
  (await sendRequest(`${api_url}/readyz`)).status

const failToStart = (db: string): Promise<Ended> =>
  runCommand(['serve', '--port', '0', '--db', db], { PAYCLI_HOME: newFolder() })

test('reports a deleted journal, returns 503 for readiness checks and rejects changes', async ({
  db,
  serving,
}) => {
  assert.is(await readiness(serving), 200)
  rmSync(`${db}.journal-1`)
  assert.match(await serving.waitForStderr(/stop the server/), `${db}.journal-1 was deleted or moved`)
  assert.is(await readiness(serving), 503)
  assert.is(await createCustomer(serving), 503)
  serving.kill('SIGKILL')
  await serving.ended
  const { code, stderr } = await failToStart(db)
  assert.is(code, 1)
  assert.match(stderr, `${db}.journal-1 is missing`)
  assert.match(stderr, `paycli doctor --db ${db} --salvage <new file>`)
  const examined = await runCommand(['doctor', '--db', db])
  assert.is(examined.code, 8)
  assert.match(examined.stdout, 'journal-1 is missing')
})

test('saves the in-memory data when serve is stopped after its journal was deleted', async ({
  db,
  serving,
}) => {
  rmSync(`${db}.journal-1`)
  await serving.waitForStderr(/stop the server/)
  serving.kill('SIGTERM')
  assert.is(await serving.ended, 0)
  const { code, stdout } = await runCommand(['doctor', '--db', db])
  assert.equal([code, JSON.parse(stdout).records.customers], [0, 2])
})

test('starts with a snapshot copied from a stopped server, but not from a running server', async ({
  db,
  serving,
}) => {
  const copy = join(newFolder(), 'copy.json')
  copyFileSync(db, copy)
  assert.is((await failToStart(copy)).code, 1)
  assert.not(existsSync(`${copy}.journal-1`))
  serving.kill('SIGTERM')
  await serving.ended
  copyFileSync(db, copy)
  const other = await openDaemon({ db: copy })
  assert.is(await createCustomer(other), 200)
  await other.stop()
  const { stdout } = await runCommand(['doctor', '--db', copy])
  assert.is(JSON.parse(stdout).records.customers, 3)
})

test.run()
