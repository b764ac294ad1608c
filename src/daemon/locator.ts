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
  /** The secret in the file, with which the daemon proves its identity. */
  readonly serverSecret: string
  /**
   * Deletes the records of ended daemons, and replaces `daemon.json` unless another daemon in this file is still running:
   * a second daemon must not receive commands for the first. Waits until the other daemons respond, or for a timeout.
   */
  readonly replaceEndedDaemons: () => Promise<DefaultDaemon>
  readonly withdraw: () => Promise<void>
}

/** The daemon that the CLI uses. */
export interface DefaultDaemon {
  /** The API URL of another daemon of this home folder that the CLI uses instead; null if the CLI uses this daemon. */
  readonly foundInstead: string | null
  /** The file, mode 0600, that holds the location with its secrets while the server runs. */
  readonly locationFile: string
}

/**
 * Writes the record of a daemon, which has bound its port but does not respond yet. Also writes `daemon.json`, unless
 * this file names another daemon.
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
  const isHere = ({ api_url }: DaemonRecord) => api_url === location.api_url
  // Clients must not find the secret of an ended daemon at this address.
  await removeStaleRecords(folder, async (one) => !isHere(one))
  const file = join(folder, `${newToken()}.json`)
  const start = processStart === null ? {} : { process_start: processStart }
  const record = { ...location, ...start, server_secret: serverSecret }
  await writeJson(file, record, newToken)
  const found = parseRecord(await readJson(locatorFile(home)).catch(() => null))
  const other = found === null || found.pid === location.pid || isHere(found) ? null : found
  const becomeDefault = () => writeJson(locatorFile(home), record, newToken)
  if (other === null) await becomeDefault()
  return {
    serverSecret,
    async replaceEndedDaemons() {
      const [isOtherRunning] = await Promise.all([
        other !== null && isServiceRunning(other),
        removeStaleRecords(folder, async (one) => isHere(one) || isServiceRunning(one)),
      ])
      if (other !== null && isOtherRunning) return { foundInstead: other.api_url, locationFile: file }
      if (other !== null) await becomeDefault()
      return { foundInstead: null, locationFile: locatorFile(home) }
    },
    async withdraw() {
      await rm(file, { force: true })
      await withdrawLocator(home, location)
    },
  }
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
