import type { RequestLog } from '../../../domain/requests/request-logs.ts'
import { EventLine } from '../../components/event-line.tsx'
import { Link, ObjectLink } from '../../components/links.tsx'
import { ObjectCommands } from '../../components/object-commands.tsx'
import { ErrorNote, Loading } from '../../components/states.tsx'
import { HttpStatus } from '../../components/status-badge.tsx'
import { UtcTime } from '../../components/values.tsx'
import { useApi } from '../../data/use-api.ts'
import { formatDuration } from '../../format/format-duration.ts'
import { screenUrl } from '../../routing/router.ts'
import { splitMessageAtParam } from './mark-param.ts'
import { useRequestEvents } from './use-request-events.ts'

/** Shows a request: its error, the fault that applied, and the events that it caused. */
export function RequestDetail({ id }: { readonly id: string }) {
  const { data: request, error, isLoading, reload } = useApi<RequestLog>(`/v1/request_logs/${id}`)
  return (
    <div class="stack">
      <Link href={screenUrl(['requests'])} class="back">
        All requests
      </Link>
      <h1>
        {request === null ? (
          id
        ) : (
          <>
            {request.method} <span class="detail-path">{request.path}</span>
          </>
        )}
      </h1>
      {isLoading && <Loading />}
      {error !== null && <ErrorNote error={error} onRetry={reload} />}
      {request !== null && (
        <>
          {request.error !== null && <RequestErrorPanel error={request.error} />}
          <div class="split">
            <RequestFacts request={request} />
            <CausedEvents request={request} />
          </div>
        </>
      )}
      <ObjectCommands id={id} />
    </div>
  )
}

function RequestErrorPanel({ error }: { readonly error: NonNullable<RequestLog['error']> }) {
  const { code, message, param } = error
  return (
    <section class="panel request-error" aria-label="Error">
      <h2>
        <a class="error-link" href={`/docs/errors#${encodeURIComponent(code)}`}>
          {code}
        </a>
      </h2>
      <p>
        {splitMessageAtParam(message, param).map(({ text, isParam }, at) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other identity.
          isParam ? <mark key={at}>{text}</mark> : text,
        )}
      </p>
      {param !== null && (
        <p>
          Parameter <mark>{param}</mark>
        </p>
      )}
    </section>
  )
}

function RequestFacts({ request }: { readonly request: RequestLog }) {
  const { id, status, created, duration_ms: duration, api_key, replay_of, fault } = request
  return (
    <section class="panel" aria-label="Request">
      <h2>Request</h2>
      <dl class="facts">
        <dt>Status</dt>
        <dd>
          <HttpStatus status={status} />
        </dd>
        <dt>Time</dt>
        <dd>
          <UtcTime at={created} />
        </dd>
        <dt>Duration</dt>
        <dd>{formatDuration(duration)}</dd>
        <dt>Request-Id</dt>
        <dd class="id">{id}</dd>
        <dt>API key</dt>
        <dd class="id">{api_key ?? 'none'}</dd>
        {replay_of !== null && (
          <>
            <dt>Replay of</dt>
            <dd>
              <ObjectLink id={replay_of} />
            </dd>
          </>
        )}
        {fault !== null && (
          <>
            <dt>Fault</dt>
            <dd>{fault.startsWith('flt_') ? <ObjectLink id={fault} /> : <code>{fault}</code>}</dd>
          </>
        )}
      </dl>
    </section>
  )
}

function CausedEvents({ request }: { readonly request: RequestLog }) {
  const { events, error } = useRequestEvents(request)
  return (
    <section class="panel" aria-label="Events">
      <h2>Events that it caused</h2>
      {error !== null && <ErrorNote error={error} />}
      {error === null && events === null && <Loading />}
      {events?.length === 0 && (
        <p class="quiet">
          {request.replay_of === null ? 'None.' : 'None: the response of the original request was repeated.'}
        </p>
      )}
      {events?.[0] && <IdempotencyKey value={events[0].request?.idempotency_key ?? null} />}
      <ol class="event-lines">
        {events?.map((event) => (
          <li key={event.id} class="row">
            <EventLine event={event} />
            <Link href={screenUrl(['webhooks'], { event: event.id })}>deliveries</Link>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** Shows the idempotency key of a request, which its events contain but its log does not. */
function IdempotencyKey({ value }: { readonly value: string | null }) {
  return (
    <p class="quiet">
      Idempotency-Key:{' '}
      {value === null ? 'none, so the same request would be executed again' : <bdi>{value}</bdi>}
    </p>
  )
}
