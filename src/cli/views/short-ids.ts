const MIN_CHARACTERS = 4
const ID = /^(?:[a-z]+_)+[A-Za-z0-9]{24}$/
const IDS = /\b(?:[a-z]+_)+[A-Za-z0-9]{24}\b/g

/** Returns whether a value is an id, such as `cus_` with 24 characters. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && ID.test(value)
}

/**
 * Shortens the ids in strings, such as the cells of a column, to a form such as `cus_…kSV9`. Each id keeps enough last
 * characters to differ from the other ids. Returns null when no string contains an id.
 */
export function shortenIds(texts: readonly string[]): string[] | null {
  const ids = new Set(texts.flatMap((text) => text.match(IDS) ?? []))
  if (ids.size === 0) return null
  let kept = MIN_CHARACTERS
  while (new Set(Array.from(ids, (id) => shortenId(id, kept))).size < ids.size) kept += 1
  return texts.map((text) => text.replace(IDS, (id) => shortenId(id, kept)))
}

function shortenId(id: string, kept: number): string {
  const prefix = id.slice(0, id.lastIndexOf('_') + 1)
  return prefix.length + kept + 1 >= id.length ? id : `${prefix}…${id.slice(-kept)}`
}
