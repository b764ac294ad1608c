import { streams } from '../../api/operations/streams.ts'
import type { FollowStreamOptions } from '../../client/follow-stream.ts'
import { followStream } from '../../client/follow-stream.ts'
import type { RequestLog } from '../../domain/request-logs.ts'
import { sanitizeText } from '../../domain/sanitize.ts'
import { printNote } from '../output/output.ts'

export interface TailLogsOptions
  extends Pick<FollowStreamOptions, 'apiBase' | 'apiKey' | 'query' | 'signal'> {
  /** Whether to print on stderr that the stream is ready. */
  readonly isReadyShown: boolean
  readonly onLog: (log: RequestLog) => void
}

/** Follows the requests to the API until `signal` aborts. Prints connection problems on stderr. */
export async function tailLogs({ isReadyShown, onLog, ...options }: TailLogsOptions): Promise<void> {
  await followStream({
    ...options,
    path: streams.requestLogs.path,
    onState(state, reason) {
      if (reason !== null)
        printNote(
          sanitizeText(`${state === 'down' ? 'Disconnected' : 'Connection lost'}, retrying: ${reason}`),
        )
      else if (isReadyShown && state === 'ready') printNote('Following requests. Stop with ^C.')
    },
    onMessage({ event, data }) {
      if (event === 'request_log') onLog(JSON.parse(data))
      if (event === 'reset') printNote('Some requests were deleted and are omitted.')
    },
  })
}
