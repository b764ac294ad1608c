/** A duration as a whole number of a unit. Months and years have no fixed length. */
export interface Duration {
  readonly unit: 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year'
  readonly count: number
}

const UNITS: readonly (readonly [abbreviation: string, unit: Duration['unit'], seconds: number])[] = [
  ['s', 'second', 1],
  ['m', 'minute', 60],
  ['h', 'hour', 3600],
  ['d', 'day', 86_400],
  ['w', 'week', 7 * 86_400],
  ['mo', 'month', Number.NaN],
  ['y', 'year', Number.NaN],
]

/** Parses a duration such as `90s`, `10m`, `2h`, `3 days`, `1w`, `1mo` or `1y`; null for anything else. */
export function parseDuration(text: string): Duration | null {
  const [, count = '', spelling = ''] = /^(\d{1,7}) ?([a-z]+)$/i.exec(text) ?? []
  const word = spelling.toLowerCase()
  const found = UNITS.find(([abbreviation, unit]) => [abbreviation, unit, `${unit}s`].includes(word))
  return found === undefined ? null : { unit: found[1], count: Number(count) }
}

/** Parses a duration of fixed length, such as `500ms` or `5s`, to milliseconds; null for anything else. */
export function parseDurationToMilliseconds(text: string): number | null {
  const [, count] = /^(\d{1,7}) ?ms$/i.exec(text) ?? []
  if (count !== undefined) return Number(count)
  const seconds = parseDurationToSeconds(text)
  return seconds === null ? null : seconds * 1000
}

/** Parses a duration of fixed length to seconds; null for anything else, including months and years. */
export function parseDurationToSeconds(text: string): number | null {
  const duration = parseDuration(text)
  const [, , seconds = Number.NaN] = UNITS.find(([, unit]) => unit === duration?.unit) ?? []
  return duration === null || Number.isNaN(seconds) ? null : duration.count * seconds
}
