import { streams } from '../../api/operations/streams.ts'
import type { FollowOptions } from '../../client/follow.ts'
import { follow } from '../../client/follow.ts'
import type { RequestLog } from '../../domain/request-logs.ts'
import { sanitizeText } from '../../domain/sanitize.ts'
import { printNote } from '../output/output.ts'

export interface LogTailOptions extends Pick<FollowOptions, 'apiBase' | 'apiKey' | 'query' | 'signal'> {
  /** Whether somebody watches who likes to know that it works. */
  readonly isWatched: boolean
  readonly onLog: (log: RequestLog) => void
}

/** Follows the requests to the API until `signal` aborts; says on stderr what becomes of the connection. */
export async function tailLogs({ isWatched, onLog, ...asked }: LogTailOptions): Promise<void> {
  await follow({
    ...asked,
    path: streams.requestLogs.path,
    onState(state, reason) {
      if (reason !== null)
        printNote(sanitizeText(`${state === 'down' ? 'Down' : 'Connection lost'}, trying again: ${reason}`))
      else if (isWatched && state === 'ready') printNote('Following requests. Stop with ^C.')
    },
    onFrame({ event, data }) {
      if (event === 'request_log') onLog(JSON.parse(data))
      if (event === 'reset') printNote('Some requests are not kept any more and are left out.')
    },
  })
}
