import { readdir } from 'node:fs/promises'
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

/** Where a service said that it is; it may be gone. */
export interface Place {
  readonly pid: number
  readonly api_url: string
}

interface Publishing {
  readonly newSuffix: () => string
  /** Whether a service answers there as this process: its number alone may be another program's by now. */
  readonly isServed: (place: Place) => Promise<boolean>
}

/**
 * Notes that the service runs, and tells the CLI of this machine to use it, unless another one of this home still
 * answers: a second daemon must not take over commands that are meant for the first. Resolves with the address of that
 * other one, or null.
 */
export async function publishLocation(
  home: string,
  location: Location,
  { newSuffix, isServed }: Publishing,
): Promise<string | null> {
  await forgetEnded(home)
  await writeJson(serviceFile(home, location.pid), location, newSuffix)
  const published = await readJson(locatorFile(home)).catch(() => null)
  const { pid, api_url } = published ?? {}
  const isOther = pid !== location.pid && api_url !== location.api_url
  if (isOther && typeof pid === 'number' && typeof api_url === 'string') {
    if (await isServed({ pid, api_url })) return api_url
  }
  await writeJson(locatorFile(home), location, newSuffix)
  return null
}

// What a killed one left behind; one whose number was given to another program is passed over by who reads it.
async function forgetEnded(home: string): Promise<void> {
  const names = await readdir(servicesFolder(home)).catch(() => [])
  const ended = names.filter((name) => /^\d+\.json$/.test(name) && !isProcess(Number.parseInt(name, 10)))
  await Promise.all(ended.map((name) => removeFile(join(servicesFolder(home), name))))
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

/** Takes back what was published, unless another daemon has put its own there meanwhile. */
export async function withdrawLocation(home: string, pid: number): Promise<void> {
  await removeFile(serviceFile(home, pid))
  // One that cannot be read is not this daemon's any more.
  const published = await readJson(locatorFile(home)).catch(() => null)
  if (published?.pid === pid) await removeFile(locatorFile(home))
}

function locatorFile(home: string): string {
  return join(home, 'daemon.json')
}

function serviceFile(home: string, pid: number): string {
  return join(servicesFolder(home), `${pid}.json`)
}

/** In it is a file for each service of this home that runs. */
function servicesFolder(home: string): string {
  return join(home, 'services')
}
