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

/**
 * Tells the CLI of this machine where the daemon is, unless it finds another that still runs: a second daemon must not
 * take over commands that are meant for the first. Resolves with the address of that other one, or null.
 */
export async function publishLocation(
  home: string,
  location: Location,
  newSuffix: () => string,
): Promise<string | null> {
  const published = await readJson(locatorFile(home)).catch(() => null)
  const { pid, api_url } = published ?? {}
  const isOther = typeof pid === 'number' && pid !== location.pid && api_url !== location.api_url
  if (isOther && typeof api_url === 'string' && isRunning(pid)) return api_url
  await writeJson(locatorFile(home), location, newSuffix)
  return null
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's process is not ours to ask, but it is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
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
