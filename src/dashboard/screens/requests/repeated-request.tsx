import { isJsonObject, type JsonObject, parseJson } from '../../../domain/core/json-object.ts'
import type { RequestLog, RequestTexts } from '../../../domain/requests/request-logs.ts'
import { DifferenceList } from '../../components/fact-list.tsx'
import { Panel } from '../../components/placeholders.tsx'
import { ObjectLink, StatusBadge } from '../../components/values.tsx'
import { type ApiListPage, get } from '../../data/api-client.ts'
import { useLoad } from '../../data/use-load.ts'
import { listObjectDifferences } from '../../format/differences.ts'

interface RequestWithTexts {
  readonly request: RequestLog
  readonly texts: RequestTexts
}

/** The number of earlier requests that are searched for the same idempotency key or a similar body. */
const MAX_SEARCHED = 20

/**
 * Shows the differences between the bodies of a request and of the last request with its idempotency key. Without such
 * a request, compares the bodies with the most similar request of the same API key to the same path. Shows nothing if
 * there is no earlier request.
 */
export function RepeatedRequestDifferences({ request, texts }: RequestWithTexts) {
  const { data: earlier } = useLoad(`before ${request.id}`, (signal) =>
    findEarlier({ request, texts }, signal),
  )
  if (earlier === null) return null
  const hasSameKey = isSameKey(earlier.texts, texts)
  return (
    <Panel
      title={hasSameKey ? 'Repeats an idempotency key' : 'Compared with a similar request before'}
      label="Repeated"
    >
      <p class="row">
        <ObjectLink id={earlier.request.id} />
        <StatusBadge status={earlier.request.status} />
        <span class="quiet">{hasSameKey ? 'had the same key' : 'had the same path and API key'}</span>
      </p>
      <Comparison title="Request" from={requestOf(earlier.texts)} to={requestOf(texts)} />
      <details>
        <summary>Differences of the response bodies</summary>
        <Comparison title="Response" from={toObject(earlier.texts.response)} to={toObject(texts.response)} />
      </details>
    </Panel>
  )
}

interface ComparisonProps {
  readonly title: string
  readonly from: JsonObject
  readonly to: JsonObject
}

function Comparison({ title, from, to }: ComparisonProps) {
  const differences = listObjectDifferences(from, to)
  return (
    <section class="stack tight" aria-label={`${title} differences`}>
      <h3>{title}</h3>
      {differences.length === 0 ? <p class="quiet">Equal</p> : <DifferenceList differences={differences} />}
    </section>
  )
}

async function findEarlier({ request, texts }: RequestWithTexts, signal: AbortSignal) {
  const { id, method, path, api_key } = request
  const query = { method, path, limit: MAX_SEARCHED, starting_after: id }
  const { data } = await get<ApiListPage<RequestLog>>('/v1/request_logs', query, signal)
  const read = data
    .filter((log) => log.api_key === api_key)
    .map(async (log) => {
      const url = `/request_bodies/${log.id}`
      const bodies = await get<{ readonly data: RequestTexts | null }>(url, {}, signal)
      return bodies.data === null ? [] : [{ request: log, texts: bodies.data }]
    })
  const earlier = (await Promise.all(read)).flat()
  const count = (one: RequestWithTexts) =>
    listObjectDifferences(requestOf(one.texts), requestOf(texts)).length
  const [similar = null] = earlier.toSorted((a, b) => count(a) - count(b))
  return earlier.find((one) => isSameKey(one.texts, texts)) ?? similar
}

function isSameKey(a: RequestTexts, b: RequestTexts): boolean {
  return a.idempotency_key !== null && a.idempotency_key === b.idempotency_key
}

function requestOf({ query, request }: RequestTexts): JsonObject {
  return { ...(query === '' ? {} : { query }), ...toObject(request) }
}

// The stored start of a long body is not valid JSON.
function toObject(body: string | null): JsonObject {
  const value = parseJson(body ?? '')
  if (isJsonObject(value)) return value
  return body === null || body === '' ? {} : { body }
}
