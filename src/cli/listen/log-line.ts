import { toIsoTimestamp } from '../../domain/format-timestamp.ts'
import type { RequestLog } from '../../domain/request-logs.ts'
import { toSingleLine } from '../output/format-values.ts'
import type { Style } from '../output/style.ts'

const FIRST_ERROR_STATUS = 400

/** Formats a request as a line such as `12:00:03  404  GET     /v1/customers/cus_1  2 ms  req_…`, and an error as another. */
export function formatLogLine(
  { id, created, method, path, status, duration_ms, error }: RequestLog,
  style: Style,
): string {
  const time = toIsoTimestamp(created)?.slice(11, 19) ?? String(created)
  const code = status < FIRST_ERROR_STATUS ? String(status) : style.red(String(status))
  const head = `${style.dim(time)}  ${code}  ${toSingleLine(method).padEnd(6)}  ${toSingleLine(path)}`
  const line = `${head}  ${style.dim(`${duration_ms} ms  ${toSingleLine(id)}`)}\n`
  return error === null ? line : `${line}          ${toSingleLine(`${error.code}: ${error.message}`)}\n`
}
