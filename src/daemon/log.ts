import { maskSecrets } from '../domain/masking.ts'
import { sanitizeText } from '../domain/sanitize.ts'

export type LogFormat = 'pretty' | 'json' | 'silent'

/** One entry: only these fields, so that no body, key or card can slip into a log. */
export interface LogEntry {
  readonly at_ms: number
  /** `fatal` is why the process ends; it is written in every format. */
  readonly level: 'info' | 'error' | 'fatal'
  readonly message: string
  readonly method?: string
  readonly path?: string
  readonly status?: number
  readonly duration_ms?: number
  readonly request_id?: string
  /** The stack of a bug; never sent to a client. */
  readonly stack?: string
}

export type Log = (entry: LogEntry) => void

/** Creates a log that writes one line per entry in the given format; a silent one writes only why the process ends. */
export function createLog(format: LogFormat, write: (line: string) => void): Log {
  const print = format === 'json' ? (entry: LogEntry) => JSON.stringify(entry) : pretty
  return (entry) => {
    if (format === 'silent' && entry.level !== 'fatal') return
    write(`${sanitizeText(print(masked(entry)))}\n`)
  }
}

// A path is whatever a client sent, and the message of a bug may quote anything.
function masked(entry: LogEntry): LogEntry {
  const { message, path, stack } = entry
  return {
    ...entry,
    message: maskSecrets(message),
    ...(path === undefined ? {} : { path: maskSecrets(path) }),
    ...(stack === undefined ? {} : { stack: maskSecrets(stack) }),
  }
}

function pretty({ at_ms, message, method, path, status, duration_ms, request_id, stack }: LogEntry): string {
  const time = new Date(at_ms).toISOString().slice(11, 23)
  if (method === undefined) {
    return [`${time}  ${message}`, stack].filter((line) => line !== undefined).join('\n')
  }
  const head = `${time}  ${String(status).padEnd(4)} ${method.padEnd(6)} ${path ?? ''}`
  return `${head}  ${duration_ms} ms  ${request_id ?? ''}${stack === undefined ? '' : `\n${stack}`}`
}
