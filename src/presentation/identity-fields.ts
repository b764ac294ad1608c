import type { ObjectName } from '../api/resources/catalog.ts'
import type { JsonObject } from '../domain/core/json-object.ts'
import { fieldAt, fieldNameOf, formatComposite } from './field-values.ts'

/** The fields that tell an object apart from others of its type. Of alternatives, the first with a value is shown. */
const IDENTITY_FIELDS: Readonly<Record<ObjectName, readonly string[]>> = {
  customer: ['name', 'email'],
  checkout_session: ['amount_total', 'description'],
  payment_session: ['amount', 'description'],
  card_session: ['use_for'],
  payment: ['amount', 'payment_method_details.card', 'decline_code|failure_code'],
  payment_method: ['card', 'card.test_behavior'],
  subscription: ['items', 'interval'],
  invoice: ['total', 'number'],
  invoice_item: ['total', 'description'],
  refund: ['amount', 'reason'],
  test_clock: ['name', 'frozen_time'],
  event: ['type', 'data.object.id'],
  webhook_endpoint: ['url'],
  webhook_delivery: ['url', 'http_status|error'],
  request_log: ['method', 'path', 'error.code', 'fault'],
  fault: ['type', 'match.operation|match.event_type'],
  sandbox: ['name'],
  api_key: ['name', 'kind'],
}

const FIELDS_BY_OBJECT: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(IDENTITY_FIELDS))

/** Returns the paths of the fields that tell an object apart from others of its type and have a value with a short text. */
export function identityPaths(object: JsonObject): readonly string[] {
  const paths = FIELDS_BY_OBJECT.get(String(object['object'])) ?? []
  return paths.filter((path) => {
    const value = fieldAt(object, path)
    return typeof value === 'object'
      ? formatComposite(fieldNameOf(path), value) !== null
      : value !== undefined
  })
}
