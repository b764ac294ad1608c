import { API_VERSION } from '../../domain/requests/api-version.ts'
import { MAX_STORED_RESPONSES } from '../../domain/requests/idempotency.ts'
import { REPORTS, RESOURCES } from '../resources/catalog.ts'
import { ERROR_DEFINITIONS } from '../schema/errors.ts'
import { createSchemaRegistry, type JsonSchema } from '../schema/json-schema.ts'
import { createEventExamples } from './event-examples.ts'
import { createOpenApiPaths, getResourceTag, type OpenApiParameter } from './openapi-paths.ts'
import { createOpenApiErrorResponses, RESPONSE_HEADERS } from './openapi-responses.ts'
import { createStreamPaths, STREAMS_TAG } from './openapi-streams.ts'
import {
  createOpenApiWebhooks,
  DELIVERIES_TAG,
  getEventComponentName,
  SIGNATURE_PARAMETERS,
} from './openapi-webhooks.ts'
import { createResponseExamples } from './response-examples.ts'

/** The OpenAPI 3.1 document of the API. */
export type OpenApiDocument = ReturnType<typeof createOpenApiDocument>

const DESCRIPTION = `paycli is a payment service for development and tests on your machine: no real money moves.

**Authentication.** Send an API key with every request to \`/v1\`: \`Authorization: Bearer paysk_test_…\`. \`paycli serve\` prints the key on a terminal, and \`paycli status --field api_key\` prints it again. The scopes of a restricted key limit its requests: \`customers:read\` allows reading customers and their objects, \`customers:write\` also changing them.

**Sandboxes.** A sandbox is an isolated environment with its own objects, events, API keys, webhook endpoints and test clocks. An API key belongs to one sandbox, and its requests read and change only that sandbox: ids of another sandbox return 404. The sandbox \`default\` always exists, and its keys create, reset and delete other sandboxes.

**Requests.** Send the parameters of a GET or DELETE in the query, and those of a POST as a JSON body. In a body, null is the same as omitting a parameter, or unsets the field where the schema allows null. Unknown parameters are errors.

**Responses.** The status of every success is 200. Every other response has one \`error\` object: \`code\` is for programs, \`message\` explains how to fix the error, and \`errors\` lists all validation errors. When the state of an object does not allow a request, the status is 400. After a 409, the same request may succeed later.

**Idempotency.** A POST with an \`Idempotency-Key\` is executed once. If you repeat the request with the same key within 24 hours, the response is the same, with \`Idempotent-Replayed: true\`. A key that was used for another request is rejected with 422. Each API key has its own idempotency keys; a key that replaces a rolled key shares the idempotency keys of its predecessor. Validation errors and every 5xx leave the key unused. The database stores up to ${MAX_STORED_RESPONSES.toLocaleString('en')} responses and deletes no response early. At this limit, a new key gets 503 \`idempotency_limit_reached\` with \`Retry-After\`; used keys still return their response.

**Money and time.** Amounts are integers in minor units of the currency: 1250 with eur is 12.50 EUR, with jpy 1250 JPY. Times are integers in Unix seconds. Objects on a test clock use the time of the clock.

**Lists.** Lists start with the object that was created last, whatever the time of its test clock. \`limit\` is 1 to 100 (default: 10), and \`has_more\` is true if more objects follow. For the next page, send the id of the last object: \`starting_after=<id>\`.

**Retention.** Events and their deliveries are stored for 30 days on which the server runs, up to the newest 1,000,000 events. Events with pending deliveries are not deleted. Request logs are stored for 30 days: at most the newest 10,000 of authenticated and 1,000 of other requests. Objects are stored until you delete them. If the wall clock jumps forward or the server pauses by more than a day, that time counts only after one more day. Until then, idempotent responses are stored for longer than 24 hours, and expired sandboxes keep their contents.

**Rate limits.** There is no rate limit unless the server was started with \`--rate-limit\`. The limit is the number of requests per second of all keys of a sandbox. All sandboxes together may send ten times as many. A burst may have twice as many. Above the limit, the response is 429 with \`Retry-After\`. Requests with a rejected key, host or origin, and requests for this reference, are always limited to 20 per second from one address.

**Streams.** \`GET /v1/stream\` sends events as server-sent events, and \`GET /v1/stream/request_logs\` sends request logs. To resume without gaps or duplicates, send the last \`id\` as \`Last-Event-ID\`, as long as the event is stored.

**Health checks.** Health checks need no API key. \`GET /healthz\` returns 200 while the process runs; use it to restart a failed process. \`GET /readyz\` returns 503 while the server would reject requests, because its database is unavailable or read-only or its files were deleted; use it for load balancers. \`sandboxes\` is the number of active sandboxes besides \`default\`. \`warning\` is set when requests wait because PostgreSQL gives the server too few connections.

**Faults.** For tests, the server simulates faults on API requests, webhook deliveries and payments: see \`POST /v1/test_helpers/faults\`. A request can also name its own fault in a header: \`Paycli-Fault: drop_response\`, or with options \`Paycli-Fault: error; http_status=503; retry_after=2\`. If a fault applies to a request, \`Paycli-Fault\` of the response and \`fault\` of the request log have the id of the fault, or its type if the request named it. Where other machines can reach the server, adding and naming faults requires a restricted key with the scope \`faults:write\`.

**Versions.** Responses have the header \`Paycli-Version: ${API_VERSION}\`. Within version ${API_VERSION}, new fields, event types, enum values and optional parameters may be added, so ignore unknown fields and values.`

const IDEMPOTENCY_KEY: OpenApiParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes a request safe to repeat: a request with the same key and API key is executed once in 24 hours. Use a UUID. A card number is rejected.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
}

/** Returns the OpenAPI document, generated from the operations that also mount the routes and validate parameters. */
export function createOpenApiDocument({
  apiUrl,
  version,
}: {
  readonly apiUrl: string
  readonly version: string
}) {
  const registry = createSchemaRegistry()
  const eventExamples = createEventExamples()
  const bodies = createResponseExamples(apiUrl, eventExamples)
  const paths = { ...createOpenApiPaths(registry), ...createStreamPaths(registry) }
  const webhooks = createOpenApiWebhooks(registry)
  const responses = createOpenApiErrorResponses(registry)
  const events = [...eventExamples].map(([type, event]): [string, object] => [
    getEventComponentName(type),
    event,
  ])
  const examples = [...Object.entries(bodies), ...events].map(([name, value]) => [name, { value }])
  return {
    openapi: '3.1.0',
    info: {
      title: 'paycli',
      version,
      summary: 'A payment service for development and tests.',
      description: DESCRIPTION,
      contact: { name: 'The paycli project' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: apiUrl }],
    security: [{ api_key: [] }],
    tags: tags(registry.components),
    paths,
    webhooks,
    components: {
      schemas: withCodeDescriptions(registry.components),
      responses,
      parameters: { idempotency_key: IDEMPOTENCY_KEY, ...SIGNATURE_PARAMETERS },
      headers: RESPONSE_HEADERS,
      examples: Object.fromEntries(examples),
      securitySchemes: {
        api_key: {
          type: 'http',
          scheme: 'bearer',
          description: 'The key that `paycli serve` prints on a terminal, such as `paysk_test_…`.',
        },
      },
    },
  }
}

function tags(schemas: Readonly<Record<string, JsonSchema>>): { name: string; description: string }[] {
  const resources = [...RESOURCES, ...REPORTS].map(({ name, object }) => ({
    name: getResourceTag(name),
    description: String(schemas[object]?.['description']),
  }))
  return [
    ...resources,
    {
      name: STREAMS_TAG,
      description: 'Server-sent events with new events and request logs, and routes for listeners.',
    },
    {
      name: DELIVERIES_TAG,
      description: 'Webhook deliveries by event type: the cause of each event and the recommended action.',
    },
  ]
}

// Documentation tools show `x-enumDescriptions` next to each code.
function withCodeDescriptions(schemas: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  const descriptions = Object.fromEntries(
    Object.entries(ERROR_DEFINITIONS).map(([code, [, , when]]) => [code, when]),
  )
  const { error_code: codes } = schemas
  return { ...schemas, error_code: { ...codes, 'x-enumDescriptions': descriptions } }
}
