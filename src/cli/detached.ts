import { spawn } from 'node:child_process'
import { mkdirSync, openSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Fields, isFields } from '../client/fields.ts'
import { userHome } from './home.ts'

const OWNER_ONLY = 0o600
const OWNERS_FOLDER = 0o700

/** A service that goes on by itself, or why it did not start. */
export type Detached =
  | { readonly location: Fields; readonly logFile: string }
  | { readonly code: number; readonly said: string }

/**
 * Starts `paycli serve` with these arguments as a process that outlives this one, its log appended to `serve.log` in
 * the home folder; resolves once it answers or has ended.
 */
export async function startDetached(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<Detached> {
  const home = userHome(env)
  mkdirSync(home, { recursive: true, mode: OWNERS_FOLDER })
  const logFile = join(home, 'serve.log')
  const log = openSync(logFile, 'a', OWNER_ONLY)
  const { size } = statSync(logFile)
  const [, script = ''] = process.argv
  const child = spawn(process.execPath, [script, 'serve', ...args], {
    detached: true,
    stdio: ['ignore', 'ignore', log, 'ipc'],
    env: { ...env },
  })
  const ready = new Promise<Detached>((resolve) => {
    child.once('message', (message: unknown) => {
      if (isFields(message)) resolve({ location: message, logFile })
    })
  })
  const ended = new Promise<Detached>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => {
      resolve({ code: code ?? 1, said: readFileSync(logFile).subarray(size).toString('utf8') })
    })
  })
  const outcome = await Promise.race([ready, ended])
  if (child.connected) child.disconnect()
  child.unref()
  return outcome
}

/** Tells the process that started this one detached where the service is; nothing when nobody waits for it. */
export function reportReady(location: object): void {
  if (process.send === undefined) return
  process.send(location)
  process.disconnect()
}
