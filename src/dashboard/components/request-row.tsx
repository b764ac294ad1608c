import type { RequestLog } from '../../domain/requests/request-logs.ts'
import { formatDuration } from '../format/format-duration.ts'
import { formatTime, formatTimeOfDay } from '../format/format-time.ts'
import { ObjectLink } from './links.tsx'
import { HttpStatus } from './status-badge.tsx'

interface RequestRowProps {
  readonly request: RequestLog
  readonly hasDate?: boolean
}

/** Shows a request in one line: time, status, method, path, error and duration. */
export function RequestRow({ request, hasDate = false }: RequestRowProps) {
  const { id, created, method, path, status, duration_ms: duration, error, fault, replay_of } = request
  return (
    <div class="feed-row feed-group">
      <span class="feed-time">{hasDate ? formatTime(created) : formatTimeOfDay(created)}</span>
      <HttpStatus status={status} />
      <span class="feed-request">
        <ObjectLink id={id}>
          <span class="method">{method}</span> <code>{path}</code>
        </ObjectLink>
      </span>
      <span class="feed-more">
        {error !== null && <code class="error-code">{error.code}</code>}
        {fault !== null && <span class="badge badge-waiting">fault</span>}
        {replay_of !== null && <span class="badge">replay</span>}
        <span class="quiet amount">{formatDuration(duration)}</span>
      </span>
    </div>
  )
}
