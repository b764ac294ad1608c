import type { ValidationError } from '../../../domain/core/domain-error.ts'
import { isJsonObject, parseJson } from '../../../domain/core/json-object.ts'
import type { Event } from '../../../domain/events/events.ts'
import type { RequestLog, RequestTexts } from '../../../domain/requests/request-logs.ts'
import { quoteForShell } from '../../../domain/text/shell-quote.ts'
import { CopyButton } from '../../components/copy-text.tsx'
import { PolledEventDeliveries } from '../../components/delivery-result.tsx'
import { EventLine } from '../../components/event-line.tsx'
import { BodyView } from '../../components/json-view.tsx'
import { LoadNote, Panel } from '../../components/placeholders.tsx'
import { type ApiListPage, get } from '../../data/api-client.ts'
import type { ApiObject } from '../../data/history-scope.ts'
import { useApi, useLoad } from '../../data/use-load.ts'
import type { ObjectDetailsProps } from '../../data/use-object-details.ts'
import { findRequestEvents } from './find-request-events.ts'
import { RepeatedRequestDifferences } from './repeated-request.tsx'

/** Shows the errors of a request, its bodies, and the events that it caused. */
export function RequestDetails({ object, details: { omissionOf } }: ObjectDetailsProps) {
  const request = object as ApiObject & RequestLog
  const { data } = useApi<{ readonly data: RequestTexts | null }>(`/request_bodies/${request.id}`)
  const { data: events, error } = useLoad(`events of ${request.id}`, (signal) =>
    findRequestEvents(request, (query) => get<ApiListPage<Event>>('/v1/events', query, signal)),
  )
  const texts = data?.data ?? null
  const key = texts?.idempotency_key ?? events?.[0]?.request?.idempotency_key ?? null
  return (
    <>
      <RequestErrors errors={errorsOf(request, texts)} />
      <Panel title="Events of the request" label="Events">
        <LoadNote data={events} error={error} />
        {events?.length === 0 && (
          <p class="quiet">
            {request.replay_of === null
              ? 'None.'
              : 'None: the response of the original request was repeated.'}
          </p>
        )}
        <ol class="stack tight">
          {events?.map((event) => (
            <li key={event.id}>
              <EventLine id={event.id} type={event.type} object={event.data.object} />
              <PolledEventDeliveries event={event.id} omission={omissionOf(event.type)} />
            </li>
          ))}
        </ol>
      </Panel>
      {request.method === 'POST' && (
        <Panel title="Idempotency key">
          <bdi>{key ?? 'None, so the same request would be executed again.'}</bdi>
        </Panel>
      )}
      {texts !== null && request.method !== 'GET' && (
        <RepeatedRequestDifferences request={request} texts={texts} />
      )}
      {data !== null && <Bodies request={request} texts={texts} />}
    </>
  )
}

function Bodies({ request, texts }: { readonly request: RequestLog; readonly texts: RequestTexts | null }) {
  if (texts === null)
    return (
      <Panel title="Bodies">
        <p class="quiet">
          The server keeps the bodies of the newest requests until it stops, except with{' '}
          <code>paycli serve --no-log-bodies</code>.
        </p>
      </Panel>
    )
  return (
    <>
      <Panel title="Request body">
        {texts.query !== '' && <code>?{texts.query}</code>}
        <BodyView body={texts.request} />
        {/* The stored start of a long body is not valid JSON. */}
        {(texts.request === null || parseJson(texts.request) !== undefined) && (
          <CopyButton text={curlOf(request, texts)} label="Copy as curl" />
        )}
      </Panel>
      <Panel title="Response body">
        <BodyView body={texts.response} />
      </Panel>
    </>
  )
}

/** Returns the command that sends a request again, without its idempotency key. `-g` allows brackets in the URL. */
function curlOf({ method, path }: RequestLog, { query, request }: RequestTexts): string {
  const url = quoteForShell(`${window.location.origin}${path}${query === '' ? '' : `?${query}`}`)
  const body = request === null ? '' : ` -H "Content-Type: application/json" -d ${quoteForShell(request)}`
  return `curl -g -X ${method} ${url} -H "Authorization: Bearer $PAYCLI_API_KEY"${body}`
}

/**
 * Returns all validation errors of the response. If its body is not stored, returns only the first error, from the log.
 */
function errorsOf({ error }: RequestLog, texts: RequestTexts | null): readonly ValidationError[] {
  const response = parseJson(texts?.response ?? '')
  const full = isJsonObject(response) && isJsonObject(response['error']) ? response['error'] : {}
  const { errors } = full
  if (Array.isArray(errors) && errors.length > 0) return errors
  return error === null ? [] : [error]
}

function RequestErrors({ errors }: { readonly errors: readonly ValidationError[] }) {
  if (errors.length === 0) return null
  return (
    <Panel title={errors.length === 1 ? 'Error' : 'Errors'}>
      {errors.map(({ code, message, param }) => (
        <div key={`${param} ${code}`}>
          <a class="bad" href={`/docs/errors#${encodeURIComponent(code)}`}>
            <code>{code}</code>
          </a>
          <p>{message}</p>
          {param !== null && (
            <p>
              Parameter <code class="badge waiting">{param}</code>
            </p>
          )}
        </div>
      ))}
    </Panel>
  )
}
