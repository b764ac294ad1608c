import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type pg from 'pg'
import { DEFAULT_SANDBOX } from '../../src/domain/sandboxes/sandboxes.ts'
import { CREATE_DATABASE_TABLES } from '../../src/store/postgres/postgres-schema.ts'
import { createWriteStatements } from '../../src/store/postgres/postgres-writes.ts'
import { newFolder } from '../support/folders.ts'
import { onDatabase, type PostgresServer } from '../support/postgres.ts'
import { newCustomerWithEvent } from './records.ts'

const run = promisify(execFile)

/** The placeholder for the random number of an id in the template rows. */
const ZEROS = '0'.repeat(24)

/** The transactions of pgbench: the rows of a create, without and with a lock that numbers events without gaps. */
const createScripts = (insert: string) => ({
  insert,
  'locked insert': `BEGIN;
SELECT sequence FROM head WHERE sandbox = '${DEFAULT_SANDBOX}' FOR UPDATE;
${insert}
UPDATE head SET sequence = sequence + 1, place = place + 2 WHERE sandbox = '${DEFAULT_SANDBOX}';
COMMIT;`,
})

/** Measures transactions of pgbench per second. */
export type MeasurePgbench = (
  script: keyof ReturnType<typeof createScripts>,
  connections: number,
  seconds: number,
) => Promise<number>

/** Creates the tables of paycli for pgbench on a server, and returns a function that measures its rate. */
export async function openPgbench(server: PostgresServer): Promise<MeasurePgbench> {
  const scripts = createScripts(await onDatabase(server.url, prepareInsert))
  const folder = newFolder()
  const { hostname, port, username, pathname } = new URL(server.url)
  const place = ['-h', hostname, '-p', port, '-U', username]
  return async (script, connections, seconds) => {
    const file = join(folder, `${script}.sql`)
    await writeFile(file, `\\set number random(1, 1000000000000000)\n${scripts[script]}\n`)
    const load = ['-c', String(connections), '-j', String(Math.min(2, connections)), '-M', 'prepared']
    const time = ['-T', String(Math.ceil(seconds))]
    const made = run('pgbench', [...place, '-n', ...load, ...time, '-f', file, pathname.slice(1)])
    const { stdout } = await made.catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      throw new Error('There is no pgbench on the PATH: the packages of PostgreSQL have it, npm has not.')
    })
    const [, perSecond] = /tps = ([\d.]+)/.exec(stdout) ?? []
    if (perSecond === undefined) throw new Error(`pgbench printed no rate: ${stdout}`)
    return Number(perSecond)
  }
}

/** Creates the tables and returns the statement that inserts a customer and its event, in the default sandbox. */
async function prepareInsert(client: pg.Client): Promise<string> {
  await client.query(`${CREATE_DATABASE_TABLES}; CREATE SEQUENCE places`)
  const { record, event } = newCustomerWithEvent(0, (prefix) => prefix + ZEROS)
  const writes = { removed: [], put: [record, { ...event, sequence: 0 }] }
  for (const { text, values } of createWriteStatements(writes, () => 0))
    await client.query(text, [DEFAULT_SANDBOX, ...values])
  const { rows, fields } = await client.query('DELETE FROM records RETURNING *')
  const lists = rows.map((row) => fields.map(({ name }) => toExpression(client, name, row[name])).join(', '))
  return `INSERT INTO records (${fields.map(({ name }) => name).join(', ')}) VALUES (${lists.join('), (')});`
}

// pgbench reads a colon before a letter or digit as a variable.
function toExpression(client: pg.Client, name: string, value: unknown): string {
  if (value === null) return 'NULL'
  if (name === 'place' || name === 'number1') return "nextval('places')"
  if (typeof value === 'object') return client.escapeLiteral(JSON.stringify(value).replaceAll('":', '": '))
  const literal = client.escapeLiteral(String(value))
  return literal.includes(ZEROS) ? `replace(${literal}, '${ZEROS}', lpad(:number::text, 24, '0'))` : literal
}
