import type { Fields } from '../../client/fields.ts'
import { sanitizeText } from '../../domain/sanitize.ts'
import type { Style } from '../output/style.ts'

interface Location {
  readonly api_url: string
  readonly public_api_url: string | null
  readonly checkout_url: string
  readonly api_key: string
  readonly webhook_secret: string
  readonly db: string | null
}

const CANONICAL_SESSION =
  "paycli checkout create --customer cus_… --currency eur --item 'Monthly rent:100000:20:rent' --interval month"

export interface NoteOptions {
  readonly style: Style
  readonly forwardTo: readonly { readonly url: string; readonly events: readonly string[] }[]
  /** Whether the database was not there before. */
  readonly isNew: boolean
  /** The address of another daemon that the command line finds first, or null. */
  readonly foundInstead: string | null
  /** The file to name in place of the secrets, where others may read what is printed; null to print them. */
  readonly secretsFile: string | null
}

/** What a person sees when the service answers: where everything is, and what to type next. */
export function readyNote(location: Location, startedInMs: number, { style, ...more }: NoteOptions): string {
  const rows = [
    ['API', location.api_url],
    ...(location.public_api_url === null ? [] : [['API for others', location.public_api_url]]),
    ['Checkout pages', location.checkout_url],
    ...secretRows(location, more.secretsFile),
    ['Database', databaseNote(location.db, more.isNew)],
    ...more.forwardTo.map(({ url, events }) => ['Forwarding to', `${url}${choiceNote(events)}`]),
  ].map(([name = '', value = '']) => `  ${style.dim(name.padEnd(16))}${sanitizeText(value)}`)
  return [
    `${style.bold('paycli')} Ready in ${startedInMs} ms`,
    '',
    ...rows,
    '',
    ...insteadLines(location.api_url, more.foundInstead),
    ...(more.foundInstead === null ? [] : ['']),
    'Next, in another terminal (from this folder: npx paycli …):',
    '',
    '  paycli customers create --email ada@example.com',
    `  ${CANONICAL_SESSION}`,
    '  paycli checkout open cks_…',
    '  paycli events list',
    '',
    style.dim('Stop with ^C. Requests are logged below.'),
    '',
  ].join('\n')
}

// A log file, a pipe or a CI job keeps what it is given, and others read it.
function secretRows({ api_key, webhook_secret }: Location, secretsFile: string | null): string[][] {
  if (secretsFile !== null) return [['Secrets', `${secretsFile} holds the API key and the webhook secret`]]
  return [
    ['API key', api_key],
    ['Webhook secret', webhook_secret],
  ]
}

// A mistyped --db makes a new file, and whoever mistyped it should see that.
function databaseNote(path: string | null, isNew: boolean): string {
  if (path === null) return 'in memory, forgotten at the end'
  return isNew ? `${path} (new: there was none)` : path
}

function choiceNote(events: readonly string[]): string {
  if (events.includes('*')) return ''
  return events.length <= 3 ? ` (${events.join(', ')})` : ` (${events.length} types of events)`
}

function insteadLines(apiUrl: string, foundInstead: string | null): string[] {
  if (foundInstead === null) return []
  return [
    `Another paycli of yours runs at ${sanitizeText(foundInstead)}, and the command line finds that one.`,
    `For this one add: --api-base ${sanitizeText(apiUrl)} (or set PAYCLI_API_BASE). All of them: paycli status --all`,
  ]
}

/** What a person sees when the service goes on in the background. */
export function detachedNote(location: Fields, logFile: string, foundInstead: string | null): string {
  const { api_url, public_api_url, checkout_url, pid } = location
  const others = typeof public_api_url === 'string' ? ` (for others at ${public_api_url})` : ''
  return [
    `paycli answers at ${api_url}${others}, its pages at ${checkout_url}, as process ${pid}.`,
    ...insteadLines(String(api_url), foundInstead),
    `Its log is in ${logFile}. Stop it: paycli stop${foundInstead === null ? '' : ` --pid ${pid}`}`,
  ].join('\n')
}
