import type { AxisEvent } from '../../../../src/dashboard/screens/clocks/axis-events.ts'
import type { JsonObject } from '../../../../src/domain/core/json-object.ts'

/** Returns an event whose object is named after its type, such as `invoice` of `invoice.paid`. */
export function axisEvent(
  type: string,
  created: number,
  object: JsonObject = {},
  isProjected = false,
): AxisEvent {
  const [name = ''] = type.split('.')
  const key = `${isProjected ? 'projected' : 'evt'}-${type}-${created}-${String(object['id'])}`
  const id = isProjected ? null : key
  return { key, id, type, created, object: { object: name, ...object }, isProjected }
}
