const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

const SECONDS_PER_MINUTE = 60
const NO_BREAK_SPACE = '\u00a0'

/** Writes the day of a moment in Unix seconds, in UTC as billing periods are, such as `1 March 2026`. */
export function formatDay(timestamp: number): string {
  const date = new Date(timestamp * 1000)
  return [date.getUTCDate(), MONTHS[date.getUTCMonth()], date.getUTCFullYear()].join(NO_BREAK_SPACE)
}

/** Writes a wait as whole minutes, rounded up, such as `12 minutes`. */
export function formatMinutes(seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / SECONDS_PER_MINUTE))
  return minutes === 1 ? 'a minute' : `${minutes} minutes`
}
