import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from './ports.ts'
import { findPostgres, newServerFolder } from './postgres-home.ts'

const run = promisify(execFile)
const START_LIMIT_MS = 30_000
const READY = /ready to accept (?:read-only )?connections/

/** A PostgreSQL server of the tests. */
export interface PostgresServer {
  /** The URL of its database, without a schema. */
  readonly url: string
  /** Environment with which child processes start servers from the same copy. */
  readonly env: Readonly<Record<string, string>>
  /** Ends the server immediately without a checkpoint, like a crash; resolves when it has ended. */
  readonly kill: () => Promise<void>
  /** Stops the server cleanly. */
  readonly halt: () => Promise<void>
  /** Starts the server again with the same address and data, optionally as a read-only standby. */
  readonly start: (how?: { readonly isCopy: boolean }) => Promise<void>
  /** Stops the server and removes its data. */
  readonly stop: () => Promise<void>
}

interface PostgresServerOptions {
  /** Whether commits wait for the disk (default: false). */
  readonly isDurable?: boolean
  /** Password that the server requires (default: none). */
  readonly password?: string
}

/** Creates an empty database cluster and starts its server. */
export async function startPostgres(options: PostgresServerOptions = {}): Promise<PostgresServer> {
  const { isDurable = false, password } = options
  const home = await findPostgres()
  const { programs, user } = home
  const folder = newServerFolder(home)
  const data = join(folder, 'data')
  const passwordFile = join(folder, 'password')
  await writeFile(passwordFile, password ?? '')
  await chmod(passwordFile, 0o644)
  const access = password === undefined ? ['-A', 'trust'] : ['-A', 'scram-sha-256', '--pwfile', passwordFile]
  await run(
    programs.initdb,
    ['-D', data, '-U', 'paycli', ...access, '-E', 'UTF8', '--no-locale', '--no-sync'],
    { ...user, cwd: '/' },
  )
  const port = await freePort()
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    'unix_socket_directories=',
    'max_connections=200',
  ]
  // full_page_writes repairs pages that a crash of the machine left half written.
  const durability = isDurable ? 'on' : 'off'
  // mmap keeps shared memory in the data folder, so that no shared memory remains after a kill.
  settings.push('dynamic_shared_memory_type=mmap', `fsync=${durability}`, `full_page_writes=${durability}`)
  let server: ChildProcess | null = null
  // This listener runs before the removal of the folder, which also runs on 'exit'.
  process.prependListener('exit', () => server?.kill('SIGQUIT'))

  async function start({ isCopy } = { isCopy: false }): Promise<void> {
    const mark = join(data, 'standby.signal')
    if (isCopy) await writeFile(mark, '', { mode: 0o644 })
    else await rm(mark, { force: true })
    const child = spawn(programs.postgres, ['-D', data, ...settings.flatMap((one) => ['-c', one])], {
      ...user,
      cwd: '/',
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    server = child
    await ready(child)
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const child = server
    server = null
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }

  await start()
  return {
    url: `postgres://paycli${password === undefined ? '' : `:${password}`}@127.0.0.1:${port}/postgres`,
    env: home.env,
    start,
    kill: () => end('SIGQUIT'),
    halt: () => end('SIGINT'),
    async stop() {
      await end('SIGINT')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function ready(child: ChildProcess): Promise<void> {
  let said = ''
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(
    () => reject(new Error(`PostgreSQL did not start in time: ${said}`)),
    START_LIMIT_MS,
  )
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text
    if (READY.test(said)) resolve()
  })
  child.once('exit', (code) => reject(new Error(`PostgreSQL ended with ${code}: ${said}`)))
  await promise.finally(() => clearTimeout(timer))
}

let ownServer: Promise<PostgresServer> | null = null

/** Returns the server of the runner, or starts a server for this process. */
async function serverUrl(): Promise<string> {
  const { PAYCLI_TEST_POSTGRES: given } = process.env
  if (given) return given
  ownServer ??= startPostgres()
  return (await ownServer).url
}

/** Creates an empty schema and returns its URL. */
export async function newDatabaseUrl(): Promise<string> {
  return `${await serverUrl()}?schema=t_${randomBytes(8).toString('hex')}`
}

/** Drops the schema of a URL. */
export async function dropDatabase(url: string): Promise<void> {
  const { searchParams } = new URL(url)
  await onDatabase(url, (client) =>
    client.query(`DROP SCHEMA IF EXISTS "${searchParams.get('schema')}" CASCADE`),
  )
}

let pool: pg.Pool | null = null

/** Deletes all records of a database of this run that no process is using. */
export async function emptyDatabase(url: string): Promise<void> {
  const schema = `"${new URL(url).searchParams.get('schema')}"`
  // The connections of the pool stay open for the next database, and do not keep the process alive.
  pool ??= new pg.Pool({ connectionString: await serverUrl(), allowExitOnIdle: true, idleTimeoutMillis: 0 })
  await pool.query(`DELETE FROM ${schema}.records; DELETE FROM ${schema}.sandbox_leases;
    DELETE FROM ${schema}.sandbox_presences; DELETE FROM ${schema}.head WHERE sandbox <> 'default';
    UPDATE ${schema}.head SET sequence = 0, place = 0, told = 0`)
}

/** Runs SQL directly on a database. */
export async function onDatabase<T>(url: string, ask: (client: pg.Client) => Promise<T>): Promise<T> {
  const plain = new URL(url)
  plain.searchParams.delete('schema')
  const client = new pg.Client(plain.href)
  await client.connect()
  try {
    return await ask(client)
  } finally {
    await client.end()
  }
}

/** Stops the server of this process, if there is one. */
export async function stopOwnPostgres(): Promise<void> {
  if (ownServer === null) return
  await pool?.end()
  pool = null
  await (await ownServer).stop()
  ownServer = null
}
