/** Returns Unix seconds as ISO 8601 in UTC, such as `2026-01-31T08:00:00Z`, or null when out of range. */
export function toIsoTimestamp(seconds: number): string | null {
  const date = new Date(seconds * 1000)
  return Number.isNaN(date.getTime()) ? null : date.toISOString().replace('.000Z', 'Z')
}

/** Formats Unix seconds for messages, with the date: `1704067200 (2024-01-01T00:00:00Z)`. */
export function formatTimestamp(seconds: number): string {
  const iso = toIsoTimestamp(seconds)
  return iso === null ? String(seconds) : `${seconds} (${iso})`
}
