import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { refusePlantedFolder } from '../store/disk/private-file.ts'
import { readJson, removeFile, writeJson } from './private-json.ts'

/** Where a running daemon is and what opens it: the ready file, and how the CLI finds a daemon without being told. */
export interface Location {
  readonly pid: number
  readonly api_url: string
  /** Where others reach the API; null when that is not said. */
  readonly public_api_url: string | null
  readonly checkout_url: string
  readonly api_key: string
  readonly webhook_secret: string
  /** Path of the database file, null when everything is in memory. */
  readonly db: string | null
}

/** Where a service said that it is; it may be gone. */
export interface Place {
  readonly pid: number
  readonly api_url: string
  /** What tells its process from others of the same number; null where that is not known. */
  readonly process_start: string | null
}

interface Publishing {
  /** Makes names that no other service has, also one whose process has the same number in another container. */
  readonly newSuffix: () => string
  /** What tells the process of this service from a later one of the same number; unset where the system does not say. */
  readonly processStart?: string | null
  /** Whether a service answers there as this process, or may be there and only takes long to answer. */
  readonly isServed: (place: Place) => Promise<boolean>
}

/** What was published, and how it is taken back. */
export interface Published {
  /** The address of another service of this home that commands go on to find; null when they find this one. */
  readonly foundInstead: string | null
  /** The file, mode 0600, that holds the location with its secrets while the service runs. */
  readonly file: string
  readonly withdraw: () => Promise<void>
}

/**
 * Notes that the service runs, and tells the CLI of this machine to use it, unless another one of this home is still
 * there: a second daemon must not take over commands that are meant for the first.
 */
export async function publishLocation(
  home: string,
  location: Location,
  { newSuffix, isServed, processStart = null }: Publishing,
): Promise<Published> {
  const folder = servicesFolder(home)
  await refusePlantedFolder(folder)
  await forgetEnded(folder, isServed)
  const file = join(folder, `${newSuffix()}.json`)
  const record = processStart === null ? location : { ...location, process_start: processStart }
  await writeJson(file, record, newSuffix)
  const withdraw = async () => {
    await removeFile(file)
    await withdrawLocator(home, location)
  }
  const first = placeIn(await readJson(locatorFile(home)).catch(() => null))
  const isOther = first !== null && first.pid !== location.pid && first.api_url !== location.api_url
  if (isOther && (await isServed(first))) return { foundInstead: first.api_url, file, withdraw }
  await writeJson(locatorFile(home), record, newSuffix)
  return { foundInstead: null, file: locatorFile(home), withdraw }
}

// What killed ones left behind; neither a process of that number nor an answer is enough to tell by itself.
async function forgetEnded(folder: string, isServed: Publishing['isServed']): Promise<void> {
  const files = (await readdir(folder, { withFileTypes: true }).catch(noneWhenAbsent))
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map(({ name }) => join(folder, name))
  const forget = async (file: string) => {
    const place = placeIn(await readJson(file).catch(() => null))
    const isThere = place !== null && (isProcess(place.pid) || (await isServed(place)))
    if (!isThere) await removeFile(file)
  }
  await Promise.all(files.map(forget))
}

function placeIn(fields: Readonly<Record<string, unknown>> | null): Place | null {
  const { pid, api_url, process_start } = fields ?? {}
  if (typeof pid !== 'number' || typeof api_url !== 'string') return null
  return { pid, api_url, process_start: typeof process_start === 'string' ? process_start : null }
}

function noneWhenAbsent(error: unknown): [] {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
  throw error
}

function isProcess(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's process is not ours to ask, but it is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

// Another daemon may have put its own there meanwhile, and one that cannot be read is not this daemon's any more.
async function withdrawLocator(home: string, { pid, api_url }: Location): Promise<void> {
  const published = await readJson(locatorFile(home)).catch(() => null)
  if (published?.['pid'] === pid && published['api_url'] === api_url) await removeFile(locatorFile(home))
}

function locatorFile(home: string): string {
  return join(home, 'daemon.json')
}

/** In it is a file for each service of this home that runs. */
function servicesFolder(home: string): string {
  return join(home, 'services')
}
