import { isJsonObject, type JsonObject } from '../../client/json-object.ts'
import { currencyOf, formatField } from './format-field.ts'
import { formatCard, toWords } from './format-words.ts'

/** The fields that tell an object apart from others of its type. Fields without a value are omitted. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  customer: ['email', 'name'],
  checkout_session: ['amount_total', 'description'],
  payment_session: ['amount', 'description'],
  card_session: ['use_for'],
  payment_method: ['card'],
  subscription: ['items', 'interval'],
  invoice: ['total', 'number'],
  invoice_item: ['total', 'description'],
  payment: ['amount', 'payment_method_details.card'],
  refund: ['amount', 'reason'],
  test_clock: ['name', 'frozen_time'],
  event: ['type'],
  webhook_endpoint: ['url'],
  webhook_delivery: ['url', 'http_status'],
  request_log: ['method', 'path'],
  sandbox: ['name'],
  fault: ['type'],
}

const MAX_CHARACTERS = 120

/** Returns what an object is in a few words, such as `12.50 EUR · Visa •••• 4242`; empty if it has no such words. */
export function headlineOf(given: object): string {
  const object: JsonObject = { ...given }
  const currency = currencyOf(object)
  const words = (FIELDS[String(object['object'])] ?? []).flatMap((path) => {
    const value = path.split('.').reduce<unknown>((at, name) => (isJsonObject(at) ? at[name] : null), object)
    if (isCard(value)) return [formatCard(value)]
    const { kind, text } = formatField(path, value, currency)
    return kind === 'none' ? [] : [text]
  })
  const text = words.join(' · ')
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS).toWellFormed()}…` : text
}

/** Returns the name of the type of an object, such as `Payment session`. */
export function typeNameOf(given: object): string {
  const { object }: JsonObject = { ...given }
  return typeof object === 'string' ? toWords(object) : 'Object'
}

function isCard(value: unknown): value is { readonly brand: string; readonly last4: string } {
  return isJsonObject(value) && typeof value['brand'] === 'string' && typeof value['last4'] === 'string'
}
