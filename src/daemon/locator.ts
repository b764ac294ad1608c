import { join } from 'node:path'
import { readJson, removeFile, writeJson } from './private-json.ts'

/** Where a running daemon is and what opens it: the ready file, and how the CLI finds a daemon without being told. */
export interface Location {
  readonly pid: number
  readonly api_url: string
  readonly checkout_url: string
  readonly api_key: string
  readonly webhook_secret: string
  /** Path of the database file, null when everything is in memory. */
  readonly db: string | null
}

/** Tells the CLI of this machine where the daemon is. */
export async function publishLocation(
  home: string,
  location: Location,
  newSuffix: () => string,
): Promise<void> {
  await writeJson(locatorFile(home), location, newSuffix)
}

/** Takes the location back, unless another daemon has put its own there meanwhile. */
export async function withdrawLocation(home: string, pid: number): Promise<void> {
  // One that cannot be read is not this daemon's any more.
  const published = await readJson(locatorFile(home)).catch(() => null)
  if (published?.pid === pid) await removeFile(locatorFile(home))
}

function locatorFile(home: string): string {
  return join(home, 'daemon.json')
}
