import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { DomainError } from '../../domain/domain-error.ts'
import { DEFAULT_DUNNING, type Dunning, ON_EXHAUSTED, parseRetryDays } from '../../domain/dunning.ts'
import { StartupProblem } from '../../domain/startup-problem.ts'
import { UsageError } from '../errors/usage-error.ts'
import { boolean, string } from '../parse/options.ts'
import { parseMoment } from '../parse/timestamp.ts'
import { requireStrongKey } from './listen-host.ts'

/** What says how buyers see the pages. */
export const pagesFlags = {
  'checkout-url': string({
    description: 'Where buyers reach the pages, if not at the local address.',
    helpValue: '<url>',
  }),
  'business-name': string({
    description:
      "Who asks to be paid, as every page says at its head; the host of a session's return_url unless given.",
    helpValue: '<name>',
    env: 'PAYCLI_BUSINESS_NAME',
  }),
}

/** What says where things are kept, and what they begin as. */
export const databaseFlags = {
  db: string({
    description:
      "The database: a file, or the postgres:// URL of one that any number of services share. Unless given it is what PAYCLI_DB says, or paycli.json in paycli's own folder.",
    helpValue: '<file|url>',
    exclusive: ['memory'],
  }),
  memory: boolean({ description: 'Keep everything in memory and forget it at the end.' }),
  reset: boolean({
    description: 'Forget all that the database holds and begin anew; keys and secrets stay.',
    exclusive: ['memory'],
  }),
}

/** What says how the service begins and ends, and what it tells of that. */
export const processFlags = {
  detach: boolean({
    char: 'd',
    description: 'Go on in the background once it answers; stop it with paycli stop.',
  }),
  open: boolean({ description: 'Open the reference of the API in the browser once it answers.' }),
  json: boolean({
    description: 'Print where everything is as JSON, secrets included, on the first line of stdout.',
  }),
  'ready-file': string({
    description: 'Write the same JSON to this file once the service answers.',
    helpValue: '<file>',
  }),
  'log-format': string({
    description: 'How requests are logged to stderr.',
    options: ['pretty', 'json', 'silent'],
    default: 'pretty',
  }),
  // For whoever starts it as a part of something: the service then ends when that does, however that ends.
  'until-stdin-ends': boolean({ description: 'Stop when standard input ends.', hidden: true }),
}

const PAGES_PORT = 4101

/** The port of the pages beside that of the API, unless given; refuses one port for both, and leaves 0 to the system. */
export function pagesPort(port: number, given: number | undefined): number {
  const pages = given ?? (port === 0 ? 0 : PAGES_PORT)
  if (pages === 0 || pages !== port) return pages
  throw new UsageError('flag_invalid', `The API and the hosted pages cannot both have port ${port}.`, {
    param: 'checkout-port',
    hint: 'Give the pages another one with --checkout-port <port> (0 takes a free one).',
  })
}

const MAX_NAME_CHARACTERS = 100

/** Reads whom the pages name as the one who asks to be paid: one line of text, without the spaces around it. */
export function parseBusinessName(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const name = text.trim()
  const fault = faultInName(name)
  if (fault === null) return name
  throw new UsageError('flag_invalid', `The business name ${fault}.`, {
    param: 'business-name',
    hint: `Give one line of up to ${MAX_NAME_CHARACTERS} characters, such as 'Northwind Rentals', or leave the flag out.`,
  })
}

function faultInName(name: string): string | null {
  const length = [...name].length
  if (length === 0) return 'is empty'
  if (length > MAX_NAME_CHARACTERS) return `has ${length} characters, more than ${MAX_NAME_CHARACTERS}`
  return /[\p{Cc}\p{Zl}\p{Zp}]/u.test(name) ? 'holds a control character, such as a line break' : null
}

const LIVE_KEY = /^\s*[a-z]+_live_/i

/**
 * Reads where others reach the API or the pages, for the flag that gave it: an address that paths can be appended to, so
 * without a slash at its end.
 */
export function parseOwnUrl(text: string, param: 'api-url' | 'checkout-url'): string {
  const url = URL.canParse(text) && !/\s/.test(text) ? new URL(text) : null
  if (url && /^https?:$/.test(url.protocol) && url.username + url.password + url.search + url.hash === '') {
    return url.origin + url.pathname.replace(/\/+$/, '')
  }
  throw new UsageError('flag_invalid', `'${text}' is no address to be reached at.`, {
    param,
    hint: 'Give an http or https URL without credentials, query or fragment, such as https://pay.example.com.',
  })
}

/** Reads the key to admit; empty means none was given. It is repeated in no message. */
export function parseAdmittedKey(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined
  refuseLiveKey(text, 'api-key')
  if (/^[\x21-\x7e]+$/.test(text)) return text
  const hint = 'Give any other text as a key, such as paysk_test_mine, or leave the flag out.'
  throw new UsageError('flag_invalid', 'The API key holds a character that no key has.', {
    param: 'api-key',
    hint,
  })
}

/** Refuses the live key of another service, which is neither kept nor repeated. */
export function refuseLiveKey(text: string, param: string): void {
  if (!LIVE_KEY.test(text)) return
  throw new UsageError(
    'flag_invalid',
    'That is a live key of another service, which has no place here. It was not kept.',
    { param, hint: 'Give a key for tests, such as paysk_test_mine, and roll the live one if it was seen.' },
  )
}

/** Reads the secret to sign forwarded webhooks with, as Standard Webhooks has it; it is repeated in no message. */
export function parseWebhookSecret(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined
  if (/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/.test(text)) return text
  throw new UsageError('flag_invalid', 'The webhook secret is not of the form whsec_ and base64.', {
    param: 'webhook-secret',
    hint: 'Give whsec_ and 24 to 64 random bytes in base64, or leave the flag out.',
  })
}

/**
 * Reads what names the database: the URL of a PostgreSQL one, or the path of a file, made absolute. Refuses another URL,
 * and an empty path, which would name the folder. At a database that services share the key given to one opens all of
 * them, so it has to be one that nobody guesses.
 */
export function parseDatabase(text: string, apiKey?: string): string {
  if (/^postgres(ql)?:\/\//i.test(text)) {
    requireStrongKey(apiKey, 'a database that other services share')
    return text
  }
  // What was meant as a URL may hold a password, which must not become the name of a file.
  const isFile = /^[A-Z]:[\\/]/i.test(text) || existsSync(text)
  const isUrl =
    text.includes('://') || /^\W*(jdbc:)?postgres(ql)?:/i.test(text) || (!isFile && /:.*@/s.test(text))
  if (!isUrl && text !== '') return resolve(text)
  const [scheme = ''] = /^[\w:+]+(?=:\/\/)/.exec(text) ?? []
  const url =
    scheme === ''
      ? 'What is given is no URL of a database.'
      : `No database is kept at ${scheme}:// addresses.`
  const message = isUrl ? url : 'The path of the database is empty.'
  const hint = 'Give the path of a file, or a URL such as postgres://user@host/name.'
  throw new UsageError('flag_invalid', message, { param: 'db', hint })
}

/** Where the clock stands still, in Unix seconds, from what `--freeze-time` says. */
export function parseFreezeTime(text: string): number {
  const seconds = parseMoment(text)
  if (seconds !== null) return seconds
  throw new UsageError('flag_invalid', `--freeze-time takes a moment, not '${text}'.`, {
    param: 'freeze-time',
    hint: 'Give Unix seconds, or ISO 8601 such as 2026-01-31T08:00:00Z.',
  })
}

/** What `--on-exhausted` can say. */
export const EXHAUSTION_CHOICES: string[] = [...ON_EXHAUSTED]

/** How failed invoices are tried again, from what `--dunning` and `--on-exhausted` say; the default where they do not. */
export function parseDunning(days: string | undefined, onExhausted: string | undefined): Dunning {
  const { retry_days, on_exhausted } = DEFAULT_DUNNING
  return {
    retry_days: days === undefined ? retry_days : retryDays(days),
    on_exhausted: ON_EXHAUSTED.find((one) => one === onExhausted) ?? on_exhausted,
  }
}

function retryDays(text: string): number[] {
  try {
    return parseRetryDays(text)
  } catch (error) {
    if (!(error instanceof StartupProblem)) throw error
    throw new UsageError('flag_invalid', error.message, { param: 'dunning' })
  }
}

/** What a flag was refused with while the service started, told as any other wrong flag; other errors as they are. */
export function flagError(error: unknown): unknown {
  if (!(error instanceof DomainError)) return error
  const { param } = error.details
  return new UsageError('flag_invalid', error.message, param ? { param: param.replaceAll('_', '-') } : {})
}
