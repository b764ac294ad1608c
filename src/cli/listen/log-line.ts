import { isoOf } from '../../domain/moment-text.ts'
import type { RequestLog } from '../../domain/request-logs.ts'
import type { Style } from '../output/style.ts'
import { onOneLine } from '../output/values.ts'

const FIRST_ERROR = 400

/** A request on one line, such as `12:00:03  404  GET     /v1/customers/cus_1  2 ms  req_…`; an error adds another. */
export function logLine(
  { id, created, method, path, status, duration_ms, error }: RequestLog,
  style: Style,
): string {
  const time = isoOf(created)?.slice(11, 19) ?? String(created)
  const code = status < FIRST_ERROR ? String(status) : style.red(String(status))
  const head = `${style.dim(time)}  ${code}  ${onOneLine(method).padEnd(6)}  ${onOneLine(path)}`
  const line = `${head}  ${style.dim(`${duration_ms} ms  ${onOneLine(id)}`)}\n`
  return error === null ? line : `${line}          ${onOneLine(`${error.code}: ${error.message}`)}\n`
}
