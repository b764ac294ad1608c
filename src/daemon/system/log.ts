import { escapeUnsafeCharacters } from '../../domain/text/sanitize.ts'
import { maskSecretsAndCardNumbers } from '../../domain/text/secret-masking.ts'
import { wrapWords } from '../../domain/text/wrap-words.ts'
import type { Clock } from './clock.ts'

export type LogFormat = 'pretty' | 'json' | 'silent'

/** A log entry, limited to these fields so that it cannot contain bodies, keys or card numbers. */
export interface LogEntry {
  readonly at_ms: number
  /** The level; a `fatal` entry reports why the process exits, and every format writes it. */
  readonly level: 'info' | 'error' | 'fatal'
  readonly message: string
  readonly method?: string
  readonly path?: string
  readonly status?: number
  readonly duration_ms?: number
  readonly request_id?: string | undefined
  /** The simulated fault that applied to the request. */
  readonly fault?: string | undefined
  /** The stack of an unexpected error; never sent to a client. */
  readonly stack?: string | undefined
}

export type Log = (entry: LogEntry) => void

/**
 * Creates a log that writes one line per entry; the silent format writes only fatal entries. Uses `runAtTurnEnd` to
 * write the lines of an event loop turn together, because each file write blocks. Writes entries of other levels than
 * info immediately, after the queued entries. `getWidth` returns the columns of a terminal.
 */
export function createLog(
  format: LogFormat,
  write: (lines: string) => void,
  runAtTurnEnd: (work: () => void) => void,
  getWidth: () => number = () => Infinity,
): Log {
  // Each command sends a health check, which would hide the other requests.
  const isHidden = ({ path, status = 0 }: LogEntry) =>
    format === 'pretty' && path === '/healthz' && status < 400
  const print = (entry: LogEntry) =>
    format === 'json' ? JSON.stringify(entry) : formatPretty(entry, getWidth())
  let waiting = ''
  const flush = () => {
    const lines = waiting
    waiting = ''
    if (lines !== '') write(lines)
  }
  return (entry) => {
    if ((format === 'silent' && entry.level !== 'fatal') || isHidden(entry)) return
    const isFirst = waiting === ''
    waiting += `${escapeUnsafeCharacters(print(maskEntry(entry)))}\n`
    if (entry.level !== 'info') flush()
    else if (isFirst) runAtTurnEnd(flush)
  }
}

// Paths come from clients, and messages of unexpected errors may quote any input.
function maskEntry(entry: LogEntry): LogEntry {
  const { message, path, stack } = entry
  return {
    ...entry,
    message: maskSecretsAndCardNumbers(message),
    ...(path === undefined ? {} : { path: maskSecretsAndCardNumbers(path) }),
    ...(stack === undefined ? {} : { stack: maskSecretsAndCardNumbers(stack) }),
  }
}

function formatPretty(entry: LogEntry, width: number): string {
  const { at_ms, message, method, path, status, duration_ms, request_id, fault, stack } = entry
  const time = new Date(at_ms).toISOString().slice(11, width < 100 ? 19 : 23)
  if (method === undefined) {
    return [`${time}  ${message}`, stack].filter((line) => line !== undefined).join('\n')
  }
  const head = `${time}  ${String(status).padEnd(4)} ${method.padEnd(6)} ${path ?? ''}`
  const line = `${head}  ${duration_ms} ms  ${request_id ?? ''}${fault === undefined ? '' : `  fault ${fault}`}`
  // A terminal would break a long line in an id, which the user could then not copy.
  const lines = line.length <= width ? [line] : wrapWords(line.match(/ *[^ /]*\/?/g) ?? [], '', width - 2)
  return [lines.map((one) => one.trimStart()).join('\n  '), ...(stack === undefined ? [] : [stack])].join(
    '\n',
  )
}

/** Logs an unexpected error with its stack. */
export function logInternalError(log: Log, clock: Clock, message: string, error: unknown): void {
  log({ at_ms: clock.nowMs(), level: 'error', message, stack: getErrorStack(error) })
}

/** Returns the stack of an error, or the string form of another thrown value. */
export function getErrorStack(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
