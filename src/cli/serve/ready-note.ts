import { escapeUnsafeCharacters } from '../../domain/text/sanitize.ts'
import { getProgramInvocation } from '../output/program-name.ts'
import type { Style } from '../output/style.ts'
import type { StartedServer } from './started-server.ts'

/** Details of the ready note. */
export interface ReadyNoteOptions {
  readonly style: Style
  readonly forwardTo: readonly { readonly url: string; readonly events: readonly string[] }[]
  /** Whether this start of the server created the database. */
  readonly isNew: boolean
  /** The address of another daemon that commands use by default, or null. */
  readonly defaultUrl: string | null
  /** The id of the newest customer, or null without customers. */
  readonly customer: string | null
  /** The address, or the command that prints the address, that signs a browser in (default: no dashboard). */
  readonly dashboard?: string
  /** The file that is printed instead of its secrets if other people may read the output; null to print secrets. */
  readonly secretsFile: string | null
  /** Whether the log of requests follows the note. */
  readonly hasLog: boolean
}

/** Returns the text that `serve` prints when it is ready: addresses, secrets and the next commands. */
export function formatReadyNote(
  location: StartedServer,
  startedInMs: number,
  { style, ...more }: ReadyNoteOptions,
): string {
  const rows = [
    ['API', location.api_url],
    ...(location.public_api_url === null ? [] : [['Public API', location.public_api_url]]),
    ['API reference', `${location.api_url}/docs`],
    ...(more.dashboard === undefined ? [] : [['Dashboard', more.dashboard]]),
    ['Checkout pages', location.checkout_url],
    ...secretRows(location, more.secretsFile),
    ['Database', databaseNote(location.db, more.isNew)],
    ...more.forwardTo.map(({ url, events }) => ['Forwarding to', `${url}${choiceNote(events)}`]),
  ].map(([name = '', value = '']) => `  ${style.dim(name.padEnd(16))}${escapeUnsafeCharacters(value)}`)
  return [
    `${style.bold('paycli')} Ready in ${startedInMs} ms`,
    '',
    ...rows,
    '',
    ...otherDefaultLines(location.api_url, more.defaultUrl),
    ...(more.defaultUrl === null ? [] : ['']),
    getProgramInvocation() === 'paycli'
      ? 'Next, in another terminal:'
      : 'Next, in another terminal, in this folder:',
    '',
    ...nextCommands(more.customer).map((command) => `  paycli ${command}`),
    '',
    style.dim(`Stop with ^C.${more.hasLog ? ' Requests are logged below.' : ''}`),
    '',
  ].join('\n')
}

// Each command works when copied, and prints the next command.
function nextCommands(customer: string | null): string[] {
  const first =
    customer === null
      ? 'customers create --email ada@example.com'
      : `checkout create --customer ${escapeUnsafeCharacters(customer)} --currency eur --item 'Monthly rent:100000:20:rent' --interval month`
  return [first, 'trigger payment.succeeded', 'events list']
}

// Other people may read the output of a CI job, a log file or a pipe.
function secretRows({ api_key, webhook_secret }: StartedServer, secretsFile: string | null): string[][] {
  if (secretsFile !== null) return [['Secrets', `${secretsFile} contains the API key and the webhook secret`]]
  return [
    ['API key', api_key],
    ['Webhook secret', webhook_secret],
  ]
}

// A mistyped --db creates a new file, so the note marks a new database.
function databaseNote(path: string | null, isNew: boolean): string {
  if (path === null) return 'in memory, deleted on exit'
  return isNew ? `${path} (new)` : path
}

function choiceNote(events: readonly string[]): string {
  if (events.includes('*')) return ''
  return events.length <= 3 ? ` (${events.join(', ')})` : ` (${events.length} event types)`
}

function otherDefaultLines(apiUrl: string, defaultUrl: string | null): string[] {
  if (defaultUrl === null) return []
  return [
    `Another of your servers runs at ${escapeUnsafeCharacters(defaultUrl)}. Commands use that server by default.`,
    `To use this server, add --api-base ${escapeUnsafeCharacters(apiUrl)} (or set PAYCLI_API_BASE). List all: paycli status --all`,
  ]
}

/** Returns the text that `serve --detach` prints when the daemon is ready. */
export function formatDetachedNote(
  { api_url, public_api_url, checkout_url, pid }: StartedServer,
  logFile: string,
  defaultUrl: string | null,
): string {
  const publicNote = public_api_url === null ? '' : ` (public: ${public_api_url})`
  return [
    `The server runs at ${api_url}${publicNote}, with its pages at ${checkout_url}, as process ${pid}.`,
    ...otherDefaultLines(api_url, defaultUrl),
    `Log file: ${logFile}. Stop it: paycli stop${defaultUrl === null ? '' : ` --pid ${pid}`}`,
  ].join('\n')
}
