import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { newFolder } from '../support/folders.ts'
import { onDatabase, type PostgresServer } from '../support/postgres.ts'

const run = promisify(execFile)

const TABLES = `
CREATE TABLE inserts (id bigserial PRIMARY KEY, email text NOT NULL, record text NOT NULL);
CREATE TABLE numbers (id integer PRIMARY KEY, sequence bigint NOT NULL);
INSERT INTO numbers VALUES (1, 0)`
const INSERT = `INSERT INTO inserts (email, record) VALUES (:number || '@example.com', repeat('x', 400));`

/** The transactions of pgbench: one row, without and with a lock that numbers the rows without gaps. */
const SCRIPTS = {
  insert: INSERT,
  'locked insert': `BEGIN;
SELECT sequence FROM numbers WHERE id = 1 FOR UPDATE;
${INSERT}
UPDATE numbers SET sequence = sequence + 1 WHERE id = 1;
COMMIT;`,
} as const

/** Measures transactions of pgbench per second. */
export type MeasurePgbench = (
  script: keyof typeof SCRIPTS,
  connections: number,
  seconds: number,
) => Promise<number>

/** Creates the tables of pgbench on a server, and returns a function that measures its rate. */
export async function openPgbench(server: PostgresServer): Promise<MeasurePgbench> {
  await onDatabase(server.url, (client) => client.query(TABLES))
  const folder = newFolder()
  const { hostname, port, username, pathname } = new URL(server.url)
  const place = ['-h', hostname, '-p', port, '-U', username]
  return async (script, connections, seconds) => {
    const file = join(folder, `${script}.sql`)
    await writeFile(file, `\\set number random(1, 100000000)\n${SCRIPTS[script]}\n`)
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
