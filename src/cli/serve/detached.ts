import { spawn } from 'node:child_process'
import { type FileHandle, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Fields, isFields } from '../../client/fields.ts'
import { StartupProblem } from '../../domain/startup-problem.ts'
import { openPrivateLog } from '../../store/disk/private-file.ts'
import { printData, printNote, renderText } from '../output/output.ts'
import { userHome } from '../service/home.ts'
import { detachedNote } from './ready-note.ts'

const OWNERS_FOLDER = 0o700

/** Where a service is, and the address of another one that the command line finds in its place, or null. */
interface Ready {
  readonly location: Fields
  readonly foundInstead: string | null
  /** What to warn of, or null. */
  readonly warning: string | null
}

/** A service that goes on by itself, or why it did not start. */
type Detached = (Ready & { readonly logFile: string }) | { readonly code: number; readonly said: string }

/**
 * Carries out `paycli serve --detach`, given its words: a process that outlives this one, its log appended to
 * `serve.log` in the home folder. Tells where it is once it answers, or why it does not.
 */
export async function serveDetached(argv: readonly string[], isJson: boolean): Promise<void> {
  // A flag is never the value of another, so the words of this one can be left out.
  const args = argv.filter((word) => word !== '-d' && word !== '--detach' && word !== '--json')
  const started = await startDetached(args, process.env)
  if ('code' in started) {
    process.stderr.write(renderText(started.said))
    process.exitCode = started.code
    return
  }
  const { location, foundInstead, warning, logFile } = started
  if (isJson) printData(`${JSON.stringify(location)}\n`)
  printNote(renderText(detachedNote(location, logFile, foundInstead)))
  if (warning !== null) printNote(warning)
}

async function openLog(home: string) {
  const logFile = join(home, 'serve.log')
  try {
    await mkdir(home, { recursive: true, mode: OWNERS_FOLDER })
    const log = await openPrivateLog(logFile)
    const { size } = await log.stat()
    return { logFile, log, size }
  } catch (error) {
    if (error instanceof StartupProblem) throw error
    const why = error instanceof Error ? error.message : String(error)
    const message = `${logFile} cannot be written: ${why}. Set PAYCLI_HOME to a folder that can be.`
    throw new StartupProblem('file_inaccessible', message)
  }
}

async function startDetached(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<Detached> {
  const { logFile, log, size } = await openLog(userHome(env))
  const [, script = ''] = process.argv
  const child = spawn(process.execPath, [script, 'serve', ...args], {
    detached: true,
    stdio: ['ignore', 'ignore', log.fd, 'ipc'],
    env: { ...env },
  })
  const ready = new Promise<Detached>((resolve) => {
    child.once('message', (message: unknown) => {
      if (isFields(message)) resolve({ ...(message as unknown as Ready), logFile })
    })
  })
  const ended = new Promise<Detached>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) =>
      textFrom(log, size).then((said) => resolve({ code: code ?? 1, said }), reject),
    )
  })
  const outcome = await Promise.race([ready, ended]).finally(() => log.close())
  if (child.connected) child.disconnect()
  child.unref()
  return outcome
}

async function textFrom(log: FileHandle, start: number): Promise<string> {
  const { size } = await log.stat()
  const { buffer } = await log.read(Buffer.alloc(size - start), 0, size - start, start)
  return buffer.toString('utf8')
}

/** Tells the process that started this one detached where the service is; nothing when nobody waits for it. */
export function reportReady(ready: Ready): void {
  if (process.send === undefined) return
  process.send(ready)
  process.disconnect()
}
