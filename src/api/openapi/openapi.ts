import { MAX_KEPT_ANSWERS } from '../../domain/idempotency.ts'
import { objectName } from '../core/retrieving.ts'
import { api, operations } from '../index.ts'
import { resourceOf } from '../resources/answers.ts'
import { ERRORS } from '../schema/errors.ts'
import { createPublisher, type JsonSchema } from '../schema/json-schema.ts'
import { exampleEvents } from './event-examples.ts'
import { exampleAnswers } from './examples.ts'
import { type NamedOperation, type OpenApiParameter, type OpenApiPaths, pathsOf } from './openapi-paths.ts'
import { errorResponses, HEADERS, type OpenApiResponse } from './openapi-responses.ts'
import { STREAMS_TAG, streamPathsOf } from './openapi-streams.ts'
import { DELIVERIES_TAG, eventName, SIGNATURE_PARAMETERS, webhooksOf } from './openapi-webhooks.ts'

/** The whole API in the words of OpenAPI 3.1. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: {
    readonly title: string
    readonly version: string
    readonly summary: string
    readonly description: string
    readonly contact: { readonly name: string }
    readonly license: { readonly name: string; readonly identifier: string }
  }
  readonly servers: readonly { readonly url: string }[]
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: OpenApiPaths
  readonly webhooks: OpenApiPaths
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly responses: Readonly<Record<string, OpenApiResponse>>
    readonly parameters: Readonly<Record<string, OpenApiParameter>>
    readonly headers: typeof HEADERS
    readonly examples: Readonly<Record<string, { readonly value: object }>>
    readonly securitySchemes: Readonly<Record<string, object>>
  }
}

const DESCRIPTION = `paycli is a whole payment service on one machine: no real money moves.

**Keys.** Every request to \`/v1\` carries the key that \`paycli serve\` prints on a terminal, or \`paycli status --field api_key\`: \`Authorization: Bearer paysk_test_…\`. A key with scopes does no more than these: \`customers:read\` is to read customers and what belongs to them, \`customers:write\` to change them as well.

**Requests.** Parameters go into the query of a GET or DELETE and into the JSON body of a POST. In a body, null is the same as leaving a parameter out, and unsets a field where the schema allows it. A parameter that is not known is refused.

**Answers.** Every success is 200. Every other answer has one \`error\` object; its \`code\` is for programs, its \`message\` says what to try next, and \`errors\` tells of everything that is wrong at once. Wrong states are 400; 409 always means that the same request may succeed later.

**Repeating.** A POST with an \`Idempotency-Key\` is carried out once: whoever sends the same request with the same key again within 24 hours gets the same answer again, with \`Idempotent-Replayed: true\`. A key of another request is refused with 422. Each API key has idempotency keys of its own; a key that replaces a rolled one shares those of its predecessor. What was wrong with the request itself, and every 5xx, leaves the key free. The database keeps up to ${MAX_KEPT_ANSWERS.toLocaleString('en')} answers and drops none early: at this limit a new key gets 503 \`idempotency_limit_reached\` with \`Retry-After\`, and kept keys still replay.

**Money and time.** Amounts are integers in minor units of the currency: 1250 with eur is 12.50 EUR, with jpy 1250 JPY. Moments are integers in Unix seconds, on the test clock of the object where it has one.

**Lists.** The newest come first. \`limit\` is 1 to 100, 10 unless given; \`has_more\` says whether more follow. The next page starts after the last id of this one: \`starting_after=<id>\`.

**Retention.** Events and their deliveries are kept for 30 days on which the service runs, and at most the newest 1,000,000; pending deliveries keep their events. Request logs are kept for 30 days, at most the newest 10,000 of authenticated and 1,000 of other requests. Objects are kept until you delete them. When the wall clock jumps forward, or the service pauses, by more than a day, that time counts only after one more day; until then answers to idempotent requests are kept longer than 24 hours.

**Limits.** There is none unless the service was started with \`--rate-limit\`: then a key has so many requests a second, twice as many in a burst, and what is too much is 429 with \`Retry-After\`. Requests that are refused for their key, host or origin are always limited, and so are those for the reference: to 20 a second from one address.

**Streams.** \`GET /v1/stream\` tells of events as server-sent events, and \`GET /v1/stream/request_logs\` of requests. Whoever sends the last \`id\` as \`Last-Event-ID\` goes on where it was: nothing is lost and nothing comes twice while it is kept.

**Health.** Neither takes a key: \`GET /healthz\` answers 200 as long as the process does, for whoever starts it anew when it does not; \`GET /readyz\` answers 503 while its database is away, or only reads, or its files were deleted, and requests would be refused, for load balancers; \`warning\` says when requests wait because PostgreSQL gives the service too few connections.

**Versions.** Answers carry \`Paycli-Version: 1\`. Within version 1 fields, event types, values in answers and optional parameters may be added, so read what you do not know as absent.`

const IDEMPOTENCY_KEY: OpenApiParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes a request safe to repeat: the same key with the same request and API key is carried out once in 24 hours. A UUID is a good one. A card number is refused.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
}

/** Describes the service at an address, from the same values that mount the routes and check the parameters. */
export function openApiDocument({
  apiUrl,
  version,
}: {
  readonly apiUrl: string
  readonly version: string
}): OpenApiDocument {
  const publisher = createPublisher()
  const answers = exampleAnswers(apiUrl)
  const paths = { ...pathsOf(namedOperations(answers), publisher), ...streamPathsOf(publisher) }
  const webhooks = webhooksOf(publisher)
  const responses = errorResponses(publisher)
  const events = [...exampleEvents()].map(([type, event]): [string, object] => [eventName(type), event])
  const examples = [...Object.entries(answers), ...events].map(([name, value]) => [name, { value }])
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
    tags: tags(),
    paths,
    webhooks,
    components: {
      schemas: withSentences(publisher.components),
      responses,
      parameters: { idempotency_key: IDEMPOTENCY_KEY, ...SIGNATURE_PARAMETERS },
      headers: HEADERS,
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

type Answers = ReturnType<typeof exampleAnswers>

function namedOperations(answers: Answers): NamedOperation[] {
  return operations.map(({ name, operation }) => ({
    name,
    tag: headingOf(name.slice(0, name.indexOf('.'))),
    operation,
    exampleId: exampleId(operation.path, answers),
  }))
}

// In `/v1/customers/:id/payment_methods` the id is a customer's.
function exampleId(path: string, answers: Answers): string {
  const [, collection = ''] = /([^/]+)\/:id/.exec(path) ?? []
  const object: { readonly id?: string } = answers[objectName(collection)] ?? {}
  return object.id ?? ''
}

function tags(): { name: string; description: string }[] {
  const groups = Object.keys(api).map((group) => ({
    name: headingOf(group),
    description: resourceOf(snakeCase(group)).description ?? '',
  }))
  return [
    ...groups,
    { name: STREAMS_TAG, description: 'What happens, as it happens, and where listeners report.' },
    { name: DELIVERIES_TAG, description: 'What webhook endpoints are sent, by type of event.' },
  ]
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

// `checkoutSessions` stands under "Checkout sessions".
function headingOf(group: string): string {
  const words = snakeCase(group).replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

// What each code means stands beside the codes, where readers of documents look for it.
function withSentences(schemas: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  const sentences = Object.fromEntries(Object.entries(ERRORS).map(([code, [, , when]]) => [code, when]))
  const { error_code: codes } = schemas
  return { ...schemas, error_code: { ...codes, 'x-enumDescriptions': sentences } }
}
