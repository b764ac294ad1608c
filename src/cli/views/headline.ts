import type { JsonObject } from '../../client/json-object.ts'
import { cutToWidth } from '../../domain/text/display-width.ts'
import { formatValue } from '../output/format-values.ts'
import { type Field, fieldOf, formatField } from './format-field.ts'
import { type Cell, plainCell } from './table.ts'
import { wrapCells } from './text-layout.ts'
import type { ViewOptions } from './view-options.ts'

/**
 * The fields that describe an object in one line, per type. Of several alternatives, the first that is not null is
 * shown.
 */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  customer: ['name', 'email', 'created'],
  checkout_session: ['amount_total', 'status', 'customer', 'created'],
  payment_session: ['amount', 'status', 'customer', 'created'],
  card_session: ['use_for', 'status', 'customer', 'created'],
  payment: ['amount', 'status', 'decline_code|failure_code', 'customer', 'created'],
  payment_method: ['card.brand', 'card.last4', 'customer', 'created'],
  subscription: ['description', 'status', 'customer', 'created'],
  invoice: ['total', 'status', 'number', 'customer', 'created'],
  invoice_item: ['total', 'description', 'invoice', 'customer', 'created'],
  refund: ['amount', 'status', 'reason', 'customer', 'created'],
  test_clock: ['name', 'status', 'frozen_time'],
  event: ['type', 'data.object.id', 'created'],
  webhook_endpoint: ['url', 'status', 'created'],
  webhook_delivery: ['status', 'http_status|error', 'created'],
  request_log: ['method', 'path', 'status', 'error.code', 'fault', 'created'],
  fault: ['type', 'match.operation|match.event_type', 'created'],
  api_key: ['name', 'kind', 'status', 'created'],
}

/** Returns the headline of an object, such as `46.75 EUR · succeeded · Ada Lovelace · 3 min ago`, with its id below. */
export function headlineOf(object: JsonObject, view: ViewOptions): string[] {
  const { object: type, id } = object
  if (typeof type !== 'string' || typeof id !== 'string') return []
  const cells = (FIELDS[type] ?? []).flatMap((paths) => headlineCell(object, paths, view) ?? [])
  const label = view.style.dim(`${formatValue(type).replaceAll('_', ' ')} ${formatValue(id)}`)
  return [...wrapCells(cells, ' · ', view.width), label]
}

function headlineCell(object: JsonObject, path: string, view: ViewOptions): Cell | null {
  const field = fieldOf(object, path)
  if (field.value === undefined || field.value === '') return null
  const cell = path === 'customer' ? customerCell(field.value, view) : fieldCell(field, view)
  return cell && { ...cell, text: cutToWidth(cell.text, view.width) }
}

// A customer without a known name is omitted, because the id would not help the reader.
function customerCell(id: unknown, { names }: ViewOptions): Cell | null {
  const name = names.get(String(id))
  return name === undefined ? null : plainCell(formatValue(name))
}

function fieldCell(field: Field, view: ViewOptions): Cell {
  const cell = formatField(field, view)
  return field.name === 'status' ? cell : { ...cell, paint: view.style.bold }
}
