import * as p from '../../domain/core/params.ts'
import { requestLogSchema, STREAM_PATH } from '../../domain/requests/request-logs.ts'
import { defineListOperation } from '../core/lists.ts'
import { defineRetrieveOperation } from '../core/retrieve.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'DELETE', 'PUT', 'PATCH', 'OPTIONS'] as const

/** The default pattern of the `path` parameter. */
export const DEFAULT_PATH_PATTERN = `!${STREAM_PATH}*`

/** Filters of request logs, for lists and streams. */
export const requestLogFilters = {
  method: p.choice(METHODS, 'Only requests with this method.'),
  path: p.text(
    500,
    `Only requests to this path. * matches any text and a leading ! excludes (default, also with other exclusions: ${DEFAULT_PATH_PATTERN}).`,
  ),
}

/** Operations on request logs; requests to these operations are not logged. */
export const requestLogs = {
  list: defineListOperation('request_logs', requestLogSchema, {
    summary: 'Lists request logs, newest response first.',
    description:
      'Filter by method, path, status or time, such as `status[gte]=400` for all errors. Bodies are not logged.',
    filters: requestLogFilters,
    patterns: { path: DEFAULT_PATH_PATTERN },
    ranges: ['created', 'status'],
  }),
  retrieve: defineRetrieveOperation('request_logs', requestLogSchema, {
    summary: 'Retrieves a request log by the id of the request.',
    description:
      'Every response has the id in its `Request-Id` header, and every error in `request_id`. The log has the time, the status and the error, but no bodies.',
  }),
}
