import { EVENT_TYPES, type EventType } from '../../domain/event-types.ts'
import { payloadOf } from '../resources/events.ts'
import type { Publisher } from '../schema/json-schema.ts'
import type { OpenApiOperation, OpenApiParameter } from './openapi-paths.ts'

/** The heading that deliveries stand under. */
export const DELIVERIES_TAG = 'Deliveries'

const SIGNATURES: readonly (readonly [name: string, description: string])[] = [
  ['webhook-id', 'The id of the event, the same on every attempt (Standard Webhooks).'],
  ['webhook-timestamp', 'When this attempt was made, in Unix seconds.'],
  [
    'webhook-signature',
    'One `v1,<base64>` for each secret in force, with a space between: HMAC-SHA-256 of `<webhook-id>.<webhook-timestamp>.<body>` with the decoded part of the secret after `whsec_`.',
  ],
  [
    'Paycli-Signature',
    '`t=<timestamp>,v1=<hex>`: HMAC-SHA-256 of `<timestamp>.<body>` with the whole secret. Refuse one older than 300 seconds.',
  ],
]

/** The parameters every delivery comes with, for deliveries to refer to. */
export const SIGNATURE_PARAMETERS: Readonly<Record<string, OpenApiParameter>> = Object.fromEntries(
  SIGNATURES.map(([name, description]) => [
    parameterName(name),
    { name, in: 'header', required: true, description, schema: { type: 'string' } },
  ]),
)

/** What the schema and the example of what an endpoint is sent are called, such as `event_invoice_paid`. */
export function eventName(type: EventType): string {
  return `event_${type.replace('.', '_')}`
}

/** What an endpoint is sent, by type of event. */
export function webhooksOf(publisher: Publisher): Record<string, { readonly post: OpenApiOperation }> {
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: deliveryOf(type, publisher) }]))
}

function deliveryOf(type: EventType, { publish }: Publisher): OpenApiOperation {
  const name = eventName(type)
  const schema = publish({ ...payloadOf(type), title: name })
  const parameters = SIGNATURES.map(([header]) => ({
    $ref: `#/components/parameters/${parameterName(header)}`,
  }))
  return {
    operationId: `deliveries.${type}`,
    summary: `Tells of ${type}.`,
    description: `Sent to each enabled webhook endpoint whose \`enabled_events\` include \`${type}\`. Verify a signature, respond with any 2xx status within 15 seconds and do slow work afterwards. The same event can come twice: compare \`webhook-id\`.`,
    tags: [DELIVERIES_TAG],
    parameters,
    requestBody: {
      required: true,
      content: {
        'application/json': { schema, examples: { [name]: { $ref: `#/components/examples/${name}` } } },
      },
    },
    responses: {
      '2XX': { description: 'Any 2xx within 15 seconds: the event was taken, and is not sent again.' },
      410: { description: 'Nothing more is wanted: the endpoint is disabled.' },
      default: { description: 'Anything else, redirects too: tried again later.' },
    },
    security: [],
  }
}

function parameterName(header: string): string {
  return header.toLowerCase().replaceAll('-', '_')
}
