const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const MAX_DAYS = 30
/** Tolerance for clock differences between machines and for the duration of a request. */
const NOW_SECONDS = 2

/** Formats a time relative to `now`, such as `3 min ago` or `in 2 d`; null beyond 30 days. Both are Unix seconds. */
export function formatRelativeTime(seconds: number, now: number): string | null {
  const distance = Math.abs(seconds - now)
  if (distance <= NOW_SECONDS) return 'now'
  const amount = formatDistance(distance)
  if (amount === null) return null
  return seconds > now ? `in ${amount}` : `${amount} ago`
}

function formatDistance(seconds: number): string | null {
  if (seconds < MINUTE) return `${seconds} s`
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)} min`
  if (seconds < DAY) return `${Math.floor(seconds / HOUR)} h`
  return seconds < (MAX_DAYS + 1) * DAY ? `${Math.floor(seconds / DAY)} d` : null
}
