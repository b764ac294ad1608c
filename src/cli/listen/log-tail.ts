import { streamRoutes } from '../../api/operations/streams.ts'
import { type FollowStreamOptions, followStream } from '../../client/follow-stream.ts'
import type { ServerConnection } from '../../client/server-connection.ts'
import type { RequestLog } from '../../domain/requests/request-logs.ts'
import { toIsoTimestamp } from '../../domain/text/format-timestamp.ts'
import { toSingleLine } from '../output/format-values.ts'
import { printNote } from '../output/output.ts'
import type { Style } from '../output/style.ts'

const FIRST_ERROR_STATUS = 400

export interface TailLogsOptions extends ServerConnection, Pick<FollowStreamOptions, 'query' | 'signal'> {
  /** Whether to print on stderr that the stream is ready. */
  readonly isReadyShown: boolean
  readonly onLog: (log: RequestLog) => void
}

/** Follows the requests to the API until `signal` aborts. Prints connection problems on stderr. */
export async function tailLogs({ isReadyShown, onLog, ...options }: TailLogsOptions): Promise<void> {
  await followStream({
    ...options,
    path: streamRoutes.requestLogs.path,
    onState(state, reason) {
      if (reason !== null)
        printNote(`${state === 'down' ? 'Disconnected' : 'Connection lost'}, retrying: ${reason}`)
      else if (isReadyShown && state === 'ready') printNote('Following requests. Stop with ^C.')
    },
    onMessage({ event, data }) {
      if (event === 'request_log') onLog(JSON.parse(data))
      if (event === 'sandbox.reset') printNote('The sandbox was reset.')
      if (event === 'reset') printNote('Some requests were deleted and are omitted.')
    },
  })
}

/**
 * Formats a request as a line such as `12:00:03  404  GET     /v1/customers/cus_1  2 ms  req_…`; an error adds a second
 * line.
 */
export function formatLogLine(
  { id, created, method, path, status, duration_ms, error, fault }: RequestLog,
  style: Style,
): string {
  const time = toIsoTimestamp(created)?.slice(11, 19) ?? String(created)
  const code = status < FIRST_ERROR_STATUS ? String(status) : style.red(String(status))
  const head = `${style.dim(time)}  ${code}  ${toSingleLine(method).padEnd(6)}  ${toSingleLine(path)}`
  const note = fault === null ? '' : `  ${style.yellow(`fault ${toSingleLine(fault)}`)}`
  const line = `${head}  ${style.dim(`${duration_ms} ms  ${toSingleLine(id)}`)}${note}\n`
  return error === null ? line : `${line}          ${toSingleLine(`${error.code}: ${error.message}`)}\n`
}
