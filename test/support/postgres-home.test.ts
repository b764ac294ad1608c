import { execFileSync } from 'node:child_process'
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { newFolder } from './folders.ts'
import { assert, suite } from './suite.ts'

const test = suite('support/postgres-home')

const START = `
  import { readdirSync } from 'node:fs'
  import { dirname } from 'node:path'
  const { startPostgres, onDatabase } = await import(${JSON.stringify(import.meta.resolve('./postgres.js'))})
  const server = await startPostgres()
  const { rows } = await onDatabase(server.url, (client) => client.query('SHOW data_directory'))
  const [{ data_directory: data }] = rows
  await server.stop()
  console.log(JSON.stringify({ data, left: readdirSync(dirname(dirname(data))) }))
`

test('PostgreSQL starts in a private TMPDIR with a space, even for root, and changes no other mode or folder', () => {
  const folder = join(newFolder(), 'privé folder')
  mkdirSync(folder, { mode: 0o700 })
  const env = { ...process.env, PAYCLI_TEST_POSTGRES_HOME: '', TMPDIR: folder }
  const stdout = execFileSync(process.execPath, ['--input-type=module', '-e', START], {
    env,
    encoding: 'utf8',
  })
  const { data, left } = JSON.parse(stdout) as { data: string; left: string[] }
  const isRoot = process.getuid?.() === 0
  assert.is(data.startsWith(folder), !isRoot, data)
  assert.equal(left, isRoot ? ['native'] : [])
  assert.not(statSync(data, { throwIfNoEntry: false }))
  assert.is(statSync(folder).mode & 0o777, 0o700)
})

test.run()
