import type { Context } from 'koa'
import { streamRoutes } from '../../api/operations/streams.ts'
import { STREAM_PATH } from '../../domain/requests/request-logs.ts'
import type { LoggedRequest } from '../../engine/request-logs.ts'
import type { OpenSandbox } from '../sandboxes/open-sandbox.ts'
import type { SandboxRegistry } from '../sandboxes/sandbox-registry.ts'
import { type Clock, getUnixSeconds } from '../system/clock.ts'

/** The path of the request log operations. */
export const REQUEST_LOGS_PATH = '/v1/request_logs'

/**
 * Creates a function that stores the log of a request, and keeps its bodies if the sandbox stores bodies. The function
 * ignores requests outside /v1 except changes from the dashboard. The function also ignores requests for logs, because
 * reading the log must not extend it. Requests without a valid key are in the log of the default sandbox. The bodies of
 * such requests and of the requests of listeners are not kept, so that they do not displace other bodies.
 */
export function createRequestLogger(
  sandboxes: Pick<SandboxRegistry, 'default' | 'findActive'>,
  clock: Clock,
) {
  return (ctx: Context, duration_ms: number): void => {
    const { method, status, body: sent } = ctx
    const { loggedPath: path = ctx.path } = ctx.state
    if (
      !path.startsWith('/v1') ||
      path.startsWith(REQUEST_LOGS_PATH) ||
      path === streamRoutes.requestLogs.path
    )
      return
    const { requestId = '', apiKey, replayOf = null, fault = null, sandbox = sandboxes.default } = ctx.state
    const response = typeof sent === 'string' ? sent : (ctx.state.responseText ?? null)
    if (apiKey !== undefined && !path.startsWith(STREAM_PATH)) {
      const { 'idempotency-key': key } = ctx.req.headers
      sandbox.bodies?.add(requestId, {
        ...{ query: ctx.querystring, request: ctx.state.bodyText ?? null, response },
        idempotency_key: typeof key === 'string' ? key : null,
      })
    }
    const request = {
      id: requestId,
      created: getUnixSeconds(clock),
      method,
      path,
      status,
      duration_ms,
      api_key: apiKey?.id ?? null,
      replay_of: replayOf,
      fault,
      errorBody: status >= 400 ? response : null,
    }
    if (!sandbox.jobs.isStopped()) {
      record(sandbox, request)
      return
    }
    // If the request reset the sandbox, the new sandbox stores the log. A deleted sandbox has no logs.
    const reopened = sandboxes.findActive(sandbox.id)
    reopened.then((found) => found && record(found, request)).catch(sandbox.pages.onError)
  }
}

function record({ jobs, requestLogs }: OpenSandbox, request: LoggedRequest): void {
  jobs.requireRound()
  requestLogs.record(request)
}
