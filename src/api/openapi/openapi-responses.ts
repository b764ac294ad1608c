import type { AnyOperation } from '../core/operation.ts'
import { errorBody } from '../resources/errors.ts'
import { ERRORS } from '../schema/errors.ts'
import type { JsonSchema, Publisher } from '../schema/json-schema.ts'
import { errorExamplesOf } from './error-examples.ts'

/** An answer of an operation, or of a receiver. */
export interface OpenApiResponse {
  readonly description: string
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content?: Readonly<Record<string, OpenApiMedia>>
}

/** A body with its schema. */
export interface OpenApiMedia {
  readonly schema: JsonSchema
  readonly example?: object
  readonly examples?: Readonly<Record<string, { readonly $ref: string }>>
  /** What the data of server-sent events are, by the name of the event. */
  readonly 'x-events'?: Readonly<Record<string, JsonSchema>>
}

export type Referred<T> = T | { readonly $ref: string }

/** What each status means, in the order of the reference. */
export const MEANINGS: Readonly<Record<number, string>> = {
  400: 'The request is wrong, or does not fit the state things are in.',
  401: 'The key is missing, wrong or expired.',
  402: 'The card was not charged.',
  403: 'Not for this caller.',
  404: 'There is nothing at the path.',
  405: 'The path exists, but not with this method.',
  409: 'Not now: the same request may succeed later.',
  413: 'The body is too large.',
  414: 'The URL is too long.',
  415: 'The body is not JSON in UTF-8.',
  422: 'The idempotency key was used for another request.',
  429: 'Too many requests of a kind.',
  500: 'A bug of the service; nothing was changed.',
  503: 'The service cannot store anything now, or is shutting down.',
}

const ALWAYS = [400, 401, 403, 414, 500, 503]
const MISSING = 'resource_missing'

/** The error codes that come with a status, each with its sentence. */
export function codesOf(status: number): readonly (readonly [code: string, when: string])[] {
  return Object.entries(ERRORS).flatMap(([code, [usual, , when]]) =>
    usual === status || (status === 404 && code === MISSING) ? [[code, when] as const] : [],
  )
}

/** The statuses besides 200 that an operation may answer with. */
export function statusesOf(operation: AnyOperation): readonly number[] {
  const isPost = operation.method === 'POST'
  return Object.keys(MEANINGS)
    .map(Number)
    .filter((status) => {
      if (codesOf(status).length === 0) return false
      if (ALWAYS.includes(status)) return true
      if (status === 402) return operation.mayDecline === true
      if (status === 404) return operation.path.includes(':id')
      if (status === 405) return false
      if (status === 409) return operation.kind !== 'lookup'
      if (status === 429) return true
      return isPost
    })
}

/** One answer for each status that some operation has, for operations to refer to. */
export function errorResponses({ publish }: Publisher): Record<string, OpenApiResponse> {
  const statuses = Object.keys(MEANINGS)
    .map(Number)
    // No operation has a response for methods that its path does not have.
    .filter((status) => status !== 405 && codesOf(status).length > 0)
  return Object.fromEntries(
    statuses.map((status) => {
      const lines = codesOf(status).map(([code, when]) => `- \`${code}\`: ${when}`)
      return [
        nameOf(status),
        {
          description: `${MEANINGS[status]}\n\n${lines.join('\n')}`,
          headers: { ...OWN_HEADERS, ...headersOf(status) },
          content: {
            'application/json': {
              schema: errorSchema(publish(errorBody), status),
              examples: exampleReferences(errorExamplesOf(status)),
            },
          },
        },
      ]
    }),
  )
}

// Which codes come with a status is as much promised as the status.
function errorSchema(body: JsonSchema, status: number): JsonSchema {
  const code = { type: 'string', enum: codesOf(status).map(([name]) => name) }
  return {
    type: 'object',
    description: 'The body of every response other than 200.',
    required: ['error'],
    properties: { error: { allOf: [body, { properties: { code } }] } },
    additionalProperties: false,
  }
}

/** The answers of an operation: what it is for, and every no it may say. */
export function responsesOf(
  operation: AnyOperation,
  { publish }: Publisher,
): Record<string, Referred<OpenApiResponse>> {
  return {
    200: {
      description: 'Done.',
      headers: operation.method === 'POST' ? { ...OWN_HEADERS, ...REPLAY_HEADERS } : OWN_HEADERS,
      content: { 'application/json': mediaOf(publish(operation.answer)) },
    },
    ...errorReferences(statusesOf(operation)),
  }
}

/** A body of a schema, with the example that has its name. */
export function mediaOf(schema: JsonSchema): OpenApiMedia {
  const name = exampleOf(schema)
  return name === undefined ? { schema } : { schema, examples: exampleReferences([name]) }
}

function exampleReferences(names: readonly string[]): Record<string, { readonly $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/examples/${name}` }]))
}

/** References to the answers with these statuses. */
export function errorReferences(statuses: readonly number[]): Record<string, Referred<OpenApiResponse>> {
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${nameOf(status)}` }]),
  )
}

/** The headers that answers refer to. */
export const HEADERS = {
  'Request-Id': {
    description: 'The id of the request, also in the log of the service.',
    schema: { type: 'string' },
  },
  'Paycli-Version': { description: 'The version of the API.', schema: { type: 'string', const: '1' } },
  RateLimit: {
    description: 'How many requests are left now, and in how many seconds there are more; only with a limit.',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description: 'The limit of a key, `serve --rate-limit`: requests in a window of seconds.',
    schema: { type: 'string' },
  },
  'Paycli-Warning': {
    description: 'The parameters that were not known and so ignored; only with `serve --lenient`.',
    schema: { type: 'string' },
  },
  'Idempotent-Replayed': {
    description: 'Sent when the idempotency key was used before: this is the answer of the first time.',
    schema: { type: 'string', const: 'true' },
  },
  'Original-Request': {
    description: 'With a replay: the id of the request that was carried out.',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'After how many seconds to try again.', schema: { type: 'integer' } },
  'WWW-Authenticate': { description: 'How to send the key (RFC 6750).', schema: { type: 'string' } },
}

/** The headers of every answer. */
export const OWN_HEADERS = headers(
  'Request-Id',
  'Paycli-Version',
  'RateLimit',
  'RateLimit-Policy',
  'Paycli-Warning',
)
const REPLAY_HEADERS = headers('Idempotent-Replayed', 'Original-Request')

function headersOf(status: number): Record<string, unknown> {
  if (status === 401) return headers('WWW-Authenticate')
  if (status === 400 || status === 402) return REPLAY_HEADERS
  return [409, 429, 503].includes(status) ? headers('Retry-After') : {}
}

function headers(...names: (keyof typeof HEADERS)[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

function nameOf(status: number): string {
  return `error_${status}`
}

// The first shape is the one to show: what else an answer can be is rarer.
function exampleOf(schema: JsonSchema): string | undefined {
  const { $ref: ref, anyOf } = schema as { readonly $ref?: string; readonly anyOf?: readonly JsonSchema[] }
  if (ref !== undefined) return ref.split('/').at(-1)
  return anyOf?.[0] === undefined ? undefined : exampleOf(anyOf[0])
}
