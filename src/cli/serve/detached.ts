import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type FileHandle, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { StartupError } from '../../domain/core/startup-error.ts'
import { escapeUnsafeCharacters } from '../../domain/text/sanitize.ts'
import { openPrivateLogFile } from '../../store/disk/private-file.ts'
import { getErrorMessage } from '../errors/error-fields.ts'
import { getStderrWidth, printNote, writeToStdout } from '../output/output.ts'
import { wrapHanging } from '../output/text-layout.ts'
import { getWritableHomeFolder } from '../service/home.ts'
import { formatDetachedNote } from './ready-note.ts'
import type { StartedServer } from './started-server.ts'

/** The message that a detached daemon sends when it is ready. */
interface ReadyMessage {
  readonly location: StartedServer
  /** The address of another daemon that commands use by default, or null. */
  readonly defaultUrl: string | null
  readonly warning: string | null
}

/**
 * Runs `paycli serve --detach`: starts a daemon that continues after this process ends and appends its log to
 * `serve.log` in the home folder. Prints its addresses once it is ready, or the error when it does not start.
 */
export async function serveDetached(argv: readonly string[], isJson: boolean): Promise<void> {
  // `-d`, `--detach` and `--json` are never values of other flags, so removing every occurrence is safe.
  const args = argv.filter((word) => word !== '-d' && word !== '--detach' && word !== '--json')
  const started = await startDetached(args)
  if ('code' in started) {
    process.stderr.write(wrapLoggedError(escapeUnsafeCharacters(started.output), getStderrWidth()))
    process.exitCode = started.code
    return
  }
  const { location, defaultUrl, warning, logFile } = started
  if (isJson) writeToStdout(`${JSON.stringify(location)}\n`)
  printNote(formatDetachedNote(location, logFile, defaultUrl))
  if (warning !== null) printNote(warning)
}

async function openLog(home: string) {
  const logFile = join(home, 'serve.log')
  try {
    await mkdir(home, { recursive: true, mode: 0o700 })
    const log = await openPrivateLogFile(logFile)
    const { size } = await log.stat()
    return { logFile, log, size }
  } catch (error) {
    if (error instanceof StartupError) throw error
    const message = `${logFile} is not writable: ${getErrorMessage(error)}. Set PAYCLI_HOME to a writable folder.`
    throw new StartupError('file_inaccessible', message)
  }
}

/** Matches a line of the request log, which another server may write to the same file. */
const REQUEST_LINE = /^\d\d:\d\d:\d\d\.\d{3} /

/** Wraps the error in the log of a server for a terminal of `width` columns. Omits the requests of other servers. */
export function wrapLoggedError(log: string, width: number): string {
  const lines = log.split('\n').filter((line) => !REQUEST_LINE.test(line))
  const wrapped = lines.flatMap((line) => {
    const [, label, text = ''] = /^(Error: |Hint: {2}| {7}(?=\S))(.*)$/.exec(line) ?? []
    return label === undefined ? [line] : wrapHanging(label, text, width)
  })
  return wrapped.join('\n')
}

/** Returns the ready message of a detached daemon, or the exit code and output of a daemon that did not start. */
async function startDetached(args: readonly string[]) {
  const { env } = process
  const { logFile, log, size } = await openLog(getWritableHomeFolder(env))
  const [, script = ''] = process.argv
  const child = spawn(process.execPath, [script, 'serve', ...args], {
    detached: true,
    stdio: ['ignore', 'ignore', log.fd, 'ipc'],
    env,
  })
  const ready = once(child, 'message').then(([message]) => ({ ...(message as ReadyMessage), logFile }))
  const ended = once(child, 'exit').then(async ([code]) => ({
    code: Number(code ?? 1),
    output: await readFrom(log, size),
  }))
  const result = await Promise.race([ready, ended]).finally(() => log.close())
  if (child.connected) child.disconnect()
  child.unref()
  return result
}

async function readFrom(log: FileHandle, start: number): Promise<string> {
  const { size } = await log.stat()
  const { buffer } = await log.read(Buffer.alloc(size - start), 0, size - start, start)
  return buffer.toString('utf8')
}

/**
 * Sends the ready message to the process that detached this process. Does nothing in a process that was not detached.
 */
export function reportReady(message: ReadyMessage): void {
  if (process.send === undefined) return
  process.send(message)
  process.disconnect()
}
