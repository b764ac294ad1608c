const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Returns Unix seconds as `2026-01-31 08:00:00` in UTC. */
export function formatDateTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')
}

/** Returns the date of Unix seconds in UTC, as `2026-01-31`. */
export function formatDate(seconds: number): string {
  return formatDateTime(seconds).slice(0, 10)
}

/** Returns the time of day of Unix seconds in UTC, as `08:00:00`. */
export function formatTimeOfDay(seconds: number): string {
  return formatDateTime(seconds).slice(11)
}

/** Returns the difference between two times in Unix seconds as text, such as `in 3 days` or `5 min ago`. */
export function formatTimeDistance(seconds: number, now: number): string {
  const distance = Math.abs(seconds - now)
  if (distance < MINUTE) return seconds > now ? 'in less than a minute' : 'just now'
  const text = roundDistance(distance)
  return seconds > now ? `in ${text}` : `${text} ago`
}

/**
 * Returns the difference between a day and the day of `now` as text, such as `today` or `3 days ago`; both are in Unix
 * seconds.
 */
export function formatDayDistance(day: number, now: number): string {
  const [start, today] = [Math.floor(day / DAY) * DAY, Math.floor(now / DAY) * DAY]
  return start === today ? 'today' : formatTimeDistance(start, today)
}

function roundDistance(distance: number): string {
  if (distance < HOUR) return `${Math.floor(distance / MINUTE)} min`
  if (distance < DAY) return `${Math.floor(distance / HOUR)} h`
  const days = Math.floor(distance / DAY)
  return days === 1 ? '1 day' : `${days} days`
}

/** Returns milliseconds as `12 ms` or `1.25 s`. */
export function formatMilliseconds(milliseconds: number): string {
  return milliseconds < 1000 ? `${milliseconds} ms` : `${Number((milliseconds / 1000).toFixed(2))} s`
}
