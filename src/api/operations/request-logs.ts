import { listOperation } from '../core/lists.ts'
import { retrieveOperation } from '../core/retrieving.ts'
import { choice, text } from '../schema/schema.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'DELETE', 'PUT', 'PATCH', 'OPTIONS'] as const

/** How requests are told apart. */
export const logFilters = {
  method: choice(METHODS, 'Only requests with this method.'),
  path: text(500, 'Only requests to exactly this path.'),
}

/** What was asked of the API, and how it was answered. Looking at it is not written down. */
export const requestLogs = {
  list: listOperation({
    collection: 'request_logs',
    path: '/v1/request_logs',
    summary: 'Lists requests to the API, the last answered first.',
    filters: logFilters,
    ranges: ['created', 'status'],
  }),
  retrieve: retrieveOperation('request_logs', 'Retrieves a request by the id that its answer named.'),
}
