/** A moment as ISO 8601 in UTC, such as `2026-01-31T08:00:00Z`; null when no calendar has it. */
export function isoOf(seconds: number): string | null {
  const date = new Date(seconds * 1000)
  return Number.isNaN(date.getTime()) ? null : date.toISOString().replace('.000Z', 'Z')
}

/** Unix seconds for a message, with the date that people read: `1704067200 (2024-01-01T00:00:00Z)`. */
export function momentText(seconds: number): string {
  const iso = isoOf(seconds)
  return iso === null ? String(seconds) : `${seconds} (${iso})`
}
