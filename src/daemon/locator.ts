import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { requireOwnFolderIfExists, returnNullForMissingFile } from '../store/disk/private-file.ts'
import { isProcessRunning } from '../store/disk/temporary-files.ts'
import { readJson, writeJson } from './private-json.ts'
import { createIdGenerators } from './system/ids.ts'

/**
 * The contents of `daemon.json`: the addresses and secrets of a running daemon. The CLI reads the file to find the
 * daemon.
 */
export interface DaemonLocation {
  readonly pid: number
  readonly api_url: string
  /** Public URL of the API; null without a configured URL. */
  readonly public_api_url: string | null
  readonly checkout_url: string
  readonly api_key: string
  readonly webhook_secret: string
  /** Path of the database, or its URL without the password; null for a database in memory. */
  readonly db: string | null
}

/** A daemon that published its location, and may have stopped since. */
export interface DaemonRecord {
  readonly pid: number
  readonly api_url: string
  /** The start time of the process, because pids are reused; null if unknown. */
  readonly process_start: string | null
  /** The secret with which the daemon proves its identity; null for a damaged record. */
  readonly server_secret: string | null
}

export interface PublishLocationOptions {
  /** Folder for credentials and the locator file. */
  readonly home: string
  /** The start time of this process, because pids are reused; unset where the system does not report the time. */
  readonly processStart?: string | null
  /** Returns whether the daemon of a record still runs, even if it responds slowly. */
  readonly isServiceRunning: (record: DaemonRecord) => Promise<boolean>
}

export interface PublishedLocation {
  /** The API URL of another daemon of this home folder that the CLI uses instead; null if the CLI uses this daemon. */
  readonly foundInstead: string | null
  /** The file, mode 0600, that holds the location with its secrets while the server runs. */
  readonly file: string
  /** The secret in the file, with which the daemon proves its identity. */
  readonly serverSecret: string
  readonly withdraw: () => Promise<void>
}

/**
 * Writes the record of a daemon, which has bound its port but does not respond yet. Also writes `daemon.json`, unless
 * another daemon of this home folder is still running: a second daemon must not receive commands for the first.
 */
export async function publishLocation(
  { home, isServiceRunning, processStart = null }: PublishLocationOptions,
  location: DaemonLocation,
): Promise<PublishedLocation> {
  // The secret and the file name are random even in deterministic mode. The pid is not unique across containers that share
  // a home folder.
  const { newToken } = createIdGenerators()
  const serverSecret = newToken()
  const folder = getDaemonRecordsFolder(home)
  await requireOwnFolderIfExists(folder)
  // No other daemon has the address of this daemon, and a request to this address would wait for this daemon itself.
  const isOtherRunning = async (record: DaemonRecord) =>
    record.api_url !== location.api_url && (await isServiceRunning(record))
  await removeStaleRecords(folder, isOtherRunning)
  const file = join(folder, `${newToken()}.json`)
  const start = processStart === null ? {} : { process_start: processStart }
  const record = { ...location, ...start, server_secret: serverSecret }
  await writeJson(file, record, newToken)
  const withdraw = async () => {
    await rm(file, { force: true })
    await withdrawLocator(home, location)
  }
  const first = parseRecord(await readJson(locatorFile(home)).catch(() => null))
  const isOther = first !== null && first.pid !== location.pid
  if (isOther && (await isOtherRunning(first)))
    return { foundInstead: first.api_url, file, serverSecret, withdraw }
  await writeJson(locatorFile(home), record, newToken)
  return { foundInstead: null, file: locatorFile(home), serverSecret, withdraw }
}

// Killed daemons do not delete their records. Two checks must fail before a record is deleted: the pid of a daemon in
// another container is unknown here, and a running daemon may not respond.
async function removeStaleRecords(
  folder: string,
  isServiceRunning: PublishLocationOptions['isServiceRunning'],
): Promise<void> {
  const entries = (await readdir(folder, { withFileTypes: true }).catch(returnNullForMissingFile)) ?? []
  const records = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
  const removeIfStale = async ({ name }: { readonly name: string }) => {
    const file = join(folder, name)
    const record = parseRecord(await readJson(file).catch(() => null))
    const isAlive = record !== null && (isProcessRunning(record.pid) || (await isServiceRunning(record)))
    if (!isAlive) await rm(file, { force: true })
  }
  await Promise.all(records.map(removeIfStale))
}

function parseRecord(fields: Readonly<Record<string, unknown>> | null): DaemonRecord | null {
  const { pid, api_url, process_start, server_secret } = fields ?? {}
  if (typeof pid !== 'number' || typeof api_url !== 'string') return null
  return { pid, api_url, process_start: textOrNull(process_start), server_secret: textOrNull(server_secret) }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

// Another daemon may have replaced `daemon.json`.
async function withdrawLocator(home: string, { pid, api_url }: DaemonLocation): Promise<void> {
  const published = await readJson(locatorFile(home)).catch(() => null)
  if (published?.['pid'] === pid && published['api_url'] === api_url)
    await rm(locatorFile(home), { force: true })
}

function locatorFile(home: string): string {
  return join(home, 'daemon.json')
}

/** Returns the folder with one record for each running daemon. */
export function getDaemonRecordsFolder(home: string): string {
  return join(home, 'services')
}
