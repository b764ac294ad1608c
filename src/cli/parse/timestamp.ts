const MOMENT_NAME =
  /^(?:created|billing_cycle_anchor|next_payment_attempt|start|end|since|until)$|_(?:at|date|start|end)$|(?:^|_)frozen_time$/
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(Z|[+-]\d{2}:\d{2})?)?$/

/** Whether a field of this name holds a moment in Unix seconds. */
export function isMoment(name: string): boolean {
  return MOMENT_NAME.test(name)
}

/** Reads Unix seconds, or an ISO 8601 date or time, which is UTC unless it names a zone; null for anything else. */
export function parseMoment(text: string): number | null {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  const [, date, time = '00:00', zone = 'Z'] = DATE_TIME.exec(text) ?? []
  if (date === undefined || !isDay(date)) return null
  const ms = Date.parse(`${date}T${time}${zone}`)
  return Number.isNaN(ms) ? null : Math.floor(ms / 1000)
}

// Date.parse takes 30 February for a day in March.
function isDay(date: string): boolean {
  const ms = Date.parse(`${date}T00:00Z`)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date)
}
