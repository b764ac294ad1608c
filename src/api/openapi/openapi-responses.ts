import * as s from '../../domain/core/schema.ts'
import { paymentSchema } from '../../domain/payments/payments.ts'
import { API_VERSION } from '../../domain/requests/api-version.ts'
import type { AnyOperation } from '../core/operation.ts'
import { ERROR_DEFINITIONS } from '../schema/errors.ts'
import type { JsonSchema, SchemaRegistry } from '../schema/json-schema.ts'
import { listErrorExampleNames } from './response-examples.ts'

export interface OpenApiReference {
  readonly $ref: string
}

/** A response of an operation, or of a webhook endpoint. */
export interface OpenApiResponse {
  readonly description: string
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content?: Readonly<Record<string, OpenApiMedia>>
}

/** A request or response body with its schema and examples. */
export interface OpenApiMedia {
  readonly schema: JsonSchema
  readonly example?: object
  readonly examples?: Readonly<Record<string, OpenApiReference>>
  /** Schemas of the data of server-sent events by event name. */
  readonly 'x-events'?: Readonly<Record<string, JsonSchema>>
}

/** The meaning of each status, in the order of the reference. */
export const STATUS_DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'The request is invalid, or the state of the object does not allow it.',
  401: 'The API key is missing, invalid or expired.',
  402: 'The card was not charged.',
  403: 'The caller may not do this.',
  404: 'The path or the object does not exist.',
  405: 'The path does not support this method.',
  409: 'The same request may succeed later.',
  413: 'The body is too large.',
  414: 'The URL is too long.',
  415: 'The body is not JSON in UTF-8.',
  422: 'The idempotency key was used for another request.',
  429: 'Too many requests.',
  500: 'A bug in paycli caused an error. No data was changed.',
  502: 'A fault that a test created.',
  503: 'The server cannot store anything, or is shutting down.',
  507: 'The server is full.',
}

const COMMON_STATUSES = [400, 401, 403, 414, 500, 502, 503, 507]
const MISSING = 'resource_missing'

/** Returns the error codes of a status, each with its cause. */
export function listErrorCodes(status: number): readonly (readonly [code: string, when: string])[] {
  return Object.entries(ERROR_DEFINITIONS).flatMap(([code, [usual, , when]]) =>
    usual === status || (status === 404 && code === MISSING) ? [[code, when] as const] : [],
  )
}

function errorStatusesOf(operation: AnyOperation): readonly number[] {
  const isPost = operation.method === 'POST'
  return Object.keys(STATUS_DESCRIPTIONS)
    .map(Number)
    .filter((status) => {
      if (COMMON_STATUSES.includes(status)) return true
      if (status === 402) return operation.mayDecline === true
      if (status === 404) return operation.path.includes(':id')
      if (status === 405) return false
      if (status === 409) return operation.kind !== 'lookup' || operation.needsClockTime === true
      if (status === 429) return true
      return isPost
    })
}

/** Returns the error responses that operations refer to, one per status. */
export function createOpenApiErrorResponses({
  toJsonSchema,
}: SchemaRegistry): Record<string, OpenApiResponse> {
  const statuses = Object.keys(STATUS_DESCRIPTIONS)
    .map(Number)
    // OpenAPI cannot describe the response to a method that a path does not support.
    .filter((status) => status !== 405)
  return Object.fromEntries(
    statuses.map((status) => {
      const lines = listErrorCodes(status).map(([code, when]) => `- \`${code}\`: ${when}`)
      return [
        responseName(status),
        {
          description: `${STATUS_DESCRIPTIONS[status]}\n\n${lines.join('\n')}`,
          headers: { ...COMMON_HEADERS, ...headersOf(status) },
          content: {
            'application/json': {
              schema: errorSchema(toJsonSchema(errorObjectSchema), status),
              examples: exampleReferences(listErrorExampleNames(status)),
            },
          },
        },
      ]
    }),
  )
}

const code: s.Schema<string> = {
  title: 'error_code',
  type: 'string',
  enum: Object.keys(ERROR_DEFINITIONS),
  description: 'The error code, for programs.',
}

const types = [...new Set(Object.values(ERROR_DEFINITIONS).map(([, type]) => type))]
const param = s.nullable(
  s.text('The parameter that caused the error, such as `items[0][type]`; null if no parameter did.'),
)

const validationError = s.object(
  { code, message: s.text('The error as a message for people.'), param },
  'A validation error.',
)

/** The schema of `error` in the body of every error response. Only card errors have all properties. */
const errorObjectSchema: s.Schema<unknown> = {
  ...s.titledObject('error', 'The error of a failed request.', {
    type: s.enumOf(types, 'The category of the error.'),
    code,
    message: s.text('What failed and how to fix it, for people.'),
    param,
    doc_url: s.url('The error code in the error reference.'),
    request_id: s.id('The Request-Id of the request, which is also in the server log.'),
    decline_code: s.nullable(
      s.text('The decline reason of the issuer; null if not given. Present only in card errors.'),
    ),
    payment: s.nullable(paymentSchema),
    errors: s.arrayOf(validationError, 'Every validation error; the first one is this error.'),
    suggestion: s.nullable(
      s.text(
        'The most similar known name of an unknown parameter, or the path to use instead of the requested path; null otherwise.',
      ),
    ),
  }),
  required: ['type', 'code', 'message', 'param', 'doc_url', 'request_id', 'errors', 'suggestion'],
}

// Returns the schema of an error response, with the possible error codes of the status.
function errorSchema(body: JsonSchema, status: number): JsonSchema {
  const codes = listErrorCodes(status).map(([name]) => name)
  const code = { type: 'string', description: 'The error code.', enum: codes }
  return {
    type: 'object',
    description: 'The body of every response other than 200.',
    required: ['error'],
    properties: { error: { description: 'The error.', allOf: [body, { properties: { code } }] } },
    additionalProperties: false,
  }
}

/** Returns the success response of an operation and references to its error responses. */
export function createOperationResponses(
  operation: AnyOperation,
  registry: SchemaRegistry,
): Record<string, OpenApiResponse | OpenApiReference> {
  const headers = operation.method === 'POST' ? { ...COMMON_HEADERS, ...REPLAY_HEADERS } : COMMON_HEADERS
  return {
    200: createOpenApiResponse(headers, operation.response, registry),
    ...createErrorReferences(errorStatusesOf(operation)),
  }
}

/** Returns the 200 response with the JSON schema of the body and a reference to the example of that schema. */
export function createOpenApiResponse(
  headers: Readonly<Record<string, unknown>>,
  response: s.Schema<unknown>,
  { toJsonSchema }: SchemaRegistry,
): OpenApiResponse {
  const schema = toJsonSchema(response)
  const media = { schema, examples: exampleReferences([exampleNameOf(schema)]) }
  return { description: 'The request succeeded.', headers, content: { 'application/json': media } }
}

function exampleReferences(names: readonly string[]): Record<string, OpenApiReference> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/examples/${name}` }]))
}

/** Returns references to the error responses of these statuses. */
export function createErrorReferences(
  statuses: readonly number[],
): Record<string, OpenApiResponse | OpenApiReference> {
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${responseName(status)}` }]),
  )
}

/** Response headers as OpenAPI components. */
export const RESPONSE_HEADERS = {
  'Request-Id': {
    description: 'The id of the request, which is also in the request log.',
    schema: { type: 'string' },
  },
  'Paycli-Version': {
    description: 'The version of the API.',
    schema: { type: 'string', const: API_VERSION },
  },
  RateLimit: {
    description:
      'The number of requests left, and the seconds until the quota grows. Sent only with a rate limit.',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description:
      'The limit of the sandbox (`serve --rate-limit`) or of all sandboxes, whichever has fewer requests left. The limit is in requests per window of seconds.',
    schema: { type: 'string' },
  },
  'Paycli-Warning': {
    description: 'Unknown parameters that were ignored. Sent only with `serve --lenient`.',
    schema: { type: 'string' },
  },
  'Paycli-Fault': {
    description: 'The id of the fault that applied, or the type of a fault from the request header.',
    schema: { type: 'string' },
  },
  'Idempotent-Replayed': {
    description: 'Sent when the idempotency key was used before: the response is that of the first request.',
    schema: { type: 'string', const: 'true' },
  },
  'Original-Request': {
    description: 'The id of the first request with the idempotency key. Sent only with a replayed response.',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer' } },
  'WWW-Authenticate': { description: 'The authentication scheme (RFC 6750).', schema: { type: 'string' } },
}

/** Headers of every response. */
export const COMMON_HEADERS = headerReferences(
  'Request-Id',
  'Paycli-Version',
  'RateLimit',
  'RateLimit-Policy',
  'Paycli-Warning',
  'Paycli-Fault',
)
const REPLAY_HEADERS = headerReferences('Idempotent-Replayed', 'Original-Request')

function headersOf(status: number): Record<string, unknown> {
  if (status === 401) return headerReferences('WWW-Authenticate')
  if (status === 400 || status === 402) return REPLAY_HEADERS
  return [409, 429, 500, 502, 503, 507].includes(status) ? headerReferences('Retry-After') : {}
}

function headerReferences(...names: (keyof typeof RESPONSE_HEADERS)[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

function responseName(status: number): string {
  return `error_${status}`
}

// The first alternative is the usual response, so the reference shows the example of this alternative.
function exampleNameOf({ $ref: ref, anyOf }: JsonSchema): string {
  const [usual] = (anyOf ?? []) as readonly JsonSchema[]
  const path = String(ref ?? usual?.['$ref'])
  return path.slice(path.lastIndexOf('/') + 1)
}
