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
  /** What processes started by this one need in their environment to run servers of their own from the same copy. */
  readonly env: Readonly<Record<string, string>>
  /** Ends it at once, as a machine that loses its power; resolves when it is gone. */
  readonly kill: () => Promise<void>
  /** Ends it in order, as for a restart. */
  readonly halt: () => Promise<void>
  /** Starts it again at the same address, with what it has; as a copy that only reads, when it is asked to. */
  readonly start: (how?: { readonly isCopy: boolean }) => Promise<void>
  /** Ends it and removes what it has. */
  readonly stop: () => Promise<void>
}

interface PostgresServerOptions {
  /** Whether it waits for the disk, as a real one does. */
  readonly isDurable?: boolean
  /** What it asks for; nothing unless given. */
  readonly password?: string
}

/** Makes an empty database cluster and starts its server. */
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
  // What is left of the machine when a server is killed is its folder.
  settings.push('dynamic_shared_memory_type=mmap', `fsync=${isDurable ? 'on' : 'off'}`)
  let server: ChildProcess | null = null
  // Before the folder is removed, which happens on 'exit', too.
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

/** The server that the runner started for all tests, or else one of this process. */
async function serverUrl(): Promise<string> {
  const { PAYCLI_TEST_POSTGRES: given } = process.env
  if (given) return given
  ownServer ??= startPostgres()
  return (await ownServer).url
}

/** The URL of an empty database, which is a schema of its own. */
export async function newDatabaseUrl(): Promise<string> {
  return `${await serverUrl()}?schema=t_${randomBytes(8).toString('hex')}`
}

/** Removes what was stored at a URL. */
export async function dropDatabase(url: string): Promise<void> {
  const { searchParams } = new URL(url)
  await onDatabase(url, (client) =>
    client.query(`DROP SCHEMA IF EXISTS "${searchParams.get('schema')}" CASCADE`),
  )
}

/** Asks a database directly, as no part of paycli would. */
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

/** Ends the server of this process, if there is one: a suite does so when it is done. */
export async function stopOwnPostgres(): Promise<void> {
  await (await ownServer)?.stop()
  ownServer = null
}
