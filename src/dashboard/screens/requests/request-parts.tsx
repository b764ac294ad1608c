import { useContext } from 'preact/hooks'
import type { Event } from '../../../domain/events/events.ts'
import type { RequestLog } from '../../../domain/requests/request-logs.ts'
import { EventLine } from '../../components/event-line.tsx'
import { Link } from '../../components/links.tsx'
import { ErrorNote, Loading, Panel } from '../../components/states.tsx'
import { get, type Page } from '../../data/api-client.ts'
import { LiveFeedContext } from '../../data/use-live.ts'
import { type LoadState, useLoad } from '../../data/use-load.ts'
import { screenUrl } from '../../routing/router.ts'
import { findRequestEvents } from './find-request-events.ts'
import { splitMessageAtParam } from './mark-param.ts'

interface RequestProps {
  readonly request: RequestLog
}

/** Shows the error of a request, and the events that it caused. */
export function RequestParts({ request }: RequestProps) {
  return (
    <>
      {request.error !== null && <RequestErrorPanel error={request.error} />}
      <CausedEvents request={request} />
    </>
  )
}

function RequestErrorPanel({ error }: { readonly error: NonNullable<RequestLog['error']> }) {
  const { code, message, param } = error
  return (
    <section class="panel stack" aria-label="Error">
      <h2>
        <a class="bad" href={`/docs/errors#${encodeURIComponent(code)}`}>
          <code>{code}</code>
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

function CausedEvents({ request }: RequestProps) {
  const { data: events, error } = useRequestEvents(request)
  // The events of a request contain its idempotency key, but its log does not.
  const key = events?.[0]?.request?.idempotency_key ?? null
  return (
    <Panel title="Events that it caused" label="Events">
      {error !== null && <ErrorNote error={error} />}
      {error === null && events === null && <Loading />}
      {events?.length === 0 && (
        <p class="quiet">
          {request.replay_of === null ? 'None.' : 'None: the response of the original request was repeated.'}
        </p>
      )}
      {events !== null && events.length > 0 && (
        <p class="quiet">
          Idempotency-Key:{' '}
          {key === null ? 'none, so the same request would be executed again' : <bdi>{key}</bdi>}
        </p>
      )}
      <ol class="stack tight">
        {events?.map((event) => (
          <li key={event.id} class="row">
            <EventLine id={event.id} type={event.type} object={event.data.object} />
            <Link href={screenUrl(['webhooks'], { event: event.id })}>deliveries</Link>
          </li>
        ))}
      </ol>
    </Panel>
  )
}

/** Returns the events of a request: those of the live feed, else those of the list. */
function useRequestEvents(request: RequestLog): LoadState<readonly Event[]> {
  const feed = useContext(LiveFeedContext)
  return useLoad(feed && `events of ${request.id}`, async (signal) => {
    const known = feed?.events() ?? []
    const own = known.filter((event) => event.request?.id === request.id)
    // The feed may begin in the middle of the events of the request.
    if (own.length > 0 && own[0] !== known[0]) return own
    return findRequestEvents(request, (query) => get<Page<Event>>('/v1/events', query, signal))
  })
}
