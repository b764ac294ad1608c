import type { Event } from '../../src/domain/events/events.ts'
import type { Projection } from '../../src/domain/reports/projections.ts'

type Compared = Pick<Event, 'type' | 'created' | 'data'>

const ID = /\b[a-z]+(?:_sess)?_(?:Test\d{20}|projected_\d+)\b/g
const NUMBER = /\bINV-\d+\b/g

/** Returns texts of events with ids numbered by their first use, so that placeholders equal the ids of the objects. */
export function normalizeEvents(events: readonly Compared[], { numbers }: { numbers: boolean }): string[] {
  const names = new Map<string, string>()
  const rename = (text: string) => {
    if (!names.has(text)) names.set(text, `#${names.size + 1}`)
    return names.get(text) ?? ''
  }
  return events.map(({ type, created, data }) => {
    const text = JSON.stringify({ type, created, data }).replace(ID, rename)
    return numbers ? text : text.replace(NUMBER, rename)
  })
}

/** Throws at the first difference between a projection and the events that then occurred. */
export function assertProjected(
  projection: Projection,
  occurred: readonly Compared[],
  options: { readonly what: string; readonly numbers: boolean },
): void {
  const { what } = options
  const expected = projection.has_more ? occurred.slice(0, projection.data.length) : occurred
  const [found, then] = [projection.data, expected].map((events) => normalizeEvents(events, options))
  for (const [at, text] of (then ?? []).entries()) {
    if (found?.[at] !== text)
      throw new Error(`event ${at + 1} of ${what} is projected as\n${found?.[at]}\nand is\n${text}`)
  }
  if (found?.length !== then?.length)
    throw new Error(`${what} has ${found?.length} projected events, and ${then?.length} occurred`)
}
