import { EVENT_DESCRIPTIONS, EVENT_TYPES } from '../../../src/domain/core/event-types.ts'

/** Returns a guide whose table of events has a row for each event type. */
export function withEventTable(guide: string): string {
  const rows = EVENT_TYPES.map((type) => {
    const [when, action] = EVENT_DESCRIPTIONS[type]
    return `| \`${type}\` | ${when} | ${action} |\n`
  })
  return guide.replace(/(?:^\| `\w+\.\w+` \|.*\n)+/m, () => rows.join(''))
}
