const UNITS = [
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
] as const

/** Formats the time of an event: the local time of day, or the local date for a time on another day. */
export function formatEventTime(seconds: number, nowMs: number): string {
  const date = new Date(seconds * 1000)
  return date.toDateString() === new Date(nowMs).toDateString()
    ? formatLocalTimeOfDay(seconds)
    : isoDate(date)
}

/** Formats Unix seconds as the local time of day, such as `14:03:11`. */
export function formatLocalTimeOfDay(seconds: number): string {
  return new Date(seconds * 1000).toTimeString().slice(0, 8)
}

/** Formats the time until the next attempt, such as `retry in 4 m`. `what` is the name of the attempt. */
export function formatRetry(seconds: number, nowMs: number, what = 'retry'): string {
  const left = Math.ceil(seconds - nowMs / 1000)
  if (left <= 0) return `${what} is due`
  const [unit, length] = UNITS.find(([, size]) => left >= size) ?? ['s', 1]
  return `${what} in ${Math.floor(left / length)} ${unit}`
}

function isoDate(date: Date): string {
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()]
  return parts.map((part) => String(part).padStart(2, '0')).join('-')
}
