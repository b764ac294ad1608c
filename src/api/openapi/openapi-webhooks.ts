import { EVENT_DESCRIPTIONS, EVENT_TYPES, type EventType } from '../../domain/core/event-types.ts'
import { constant, type ObjectSchema, type Schema } from '../../domain/core/schema.ts'
import { EVENT_OBJECT_SCHEMAS, eventSchema } from '../../domain/events/events.ts'
import type { SchemaRegistry } from '../schema/json-schema.ts'
import type { OpenApiOperation, OpenApiParameter } from './openapi-paths.ts'

/** The tag of webhook deliveries. */
export const DELIVERIES_TAG = 'Deliveries'

const SIGNATURE_HEADERS: readonly (readonly [name: string, description: string])[] = [
  ['webhook-id', 'The id of the event, the same on every attempt (Standard Webhooks).'],
  ['webhook-timestamp', 'Time of this attempt in Unix seconds.'],
  [
    'webhook-signature',
    'One `v1,<base64>` for each active secret, separated by spaces: HMAC-SHA-256 of `<webhook-id>.<webhook-timestamp>.<body>` with the decoded part of the secret after `whsec_`.',
  ],
  [
    'Paycli-Signature',
    '`t=<timestamp>,v1=<hex>`: HMAC-SHA-256 of `<timestamp>.<body>` with the whole secret. Reject timestamps older than 300 seconds.',
  ],
]

/** The header parameters of every delivery, as OpenAPI components. */
export const SIGNATURE_PARAMETERS: Readonly<Record<string, OpenApiParameter>> = Object.fromEntries(
  SIGNATURE_HEADERS.map(([name, description]) => [
    name.toLowerCase().replaceAll('-', '_'),
    { name, in: 'header', required: true, description, schema: { type: 'string' } },
  ]),
)

/** Returns the component name of an event type, such as `event_invoice_paid`. */
export function getEventComponentName(type: EventType): string {
  return `event_${type.replace('.', '_')}`
}

/** Returns the webhooks of the OpenAPI document by event type. */
export function createOpenApiWebhooks(
  registry: SchemaRegistry,
): Record<string, { readonly post: OpenApiOperation }> {
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: toDeliveryOperation(type, registry) }]))
}

function toDeliveryOperation(type: EventType, { toJsonSchema }: SchemaRegistry): OpenApiOperation {
  const name = getEventComponentName(type)
  const [when, action] = EVENT_DESCRIPTIONS[type]
  const schema = toJsonSchema({ ...createPayloadSchema(type), title: name })
  const parameters = Object.keys(SIGNATURE_PARAMETERS).map((key) => ({
    $ref: `#/components/parameters/${key}`,
  }))
  return {
    operationId: `deliveries.${type}`,
    summary: when,
    description: `${action}\n\nSent to each enabled webhook endpoint whose \`enabled_events\` include \`${type}\`. Verify a signature, respond with any 2xx status within 15 seconds and do slow work afterwards. The same event can arrive twice: compare \`webhook-id\`.`,
    tags: [DELIVERIES_TAG],
    parameters,
    requestBody: {
      required: true,
      content: {
        'application/json': { schema, examples: { [name]: { $ref: `#/components/examples/${name}` } } },
      },
    },
    responses: {
      '2XX': { description: 'Any 2xx status within 15 seconds: the event is delivered and not sent again.' },
      410: { description: 'The endpoint is disabled and receives no more events.' },
      default: { description: 'Any other status, redirects included: the delivery is retried later.' },
    },
    security: [],
  }
}

/** Returns the schema of a delivered event of one type, with the schema of its object. */
function createPayloadSchema(type: EventType): ObjectSchema<unknown> {
  const [name] = type.split('.', 1)
  const changed = EVENT_OBJECT_SCHEMAS[name as keyof typeof EVENT_OBJECT_SCHEMAS]
  const previous: Schema<unknown> = {
    title: `${name}_changes`,
    type: 'object',
    description: 'The previous values of the fields that changed.',
    properties: changed.properties,
    additionalProperties: false,
  }
  const payload = {
    type: 'object',
    description: 'The object and its previous values.',
    properties: { object: changed, previous_attributes: previous },
    required: ['object'],
    additionalProperties: false,
  }
  const { title: _title, ...schema } = eventSchema
  const properties = { ...schema.properties, type: constant(type, 'The event type.'), data: payload }
  return { ...schema, properties }
}
