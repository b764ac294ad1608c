import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { DomainError } from '../../domain/core/domain-error.ts'
import {
  DEFAULT_DUNNING_POLICY,
  type DunningPolicy,
  EXHAUSTION_POLICIES,
  parseRetryDays,
  RETRY_DAYS_FORMAT_DESCRIPTION,
} from '../../domain/core/dunning.ts'
import { getKeySandboxId } from '../../domain/sandboxes/api-keys.ts'
import { DEFAULT_SANDBOX } from '../../domain/sandboxes/sandboxes.ts'
import { createInvalidFlagError, UsageError } from '../errors/usage-error.ts'
import { boolean, string } from '../parse/flag-builders.ts'
import { requireStrongKey } from './listen-host.ts'

/** The flags for the database. */
export const databaseFlags = {
  db: string({
    description:
      "Database file, or postgres:// URL that several servers can share (default: PAYCLI_DB, else paycli.json in paycli's folder).",
    helpValue: '<file|url>',
    exclusive: ['memory'],
  }),
  memory: boolean({ description: 'Store data in memory only.' }),
  reset: boolean({
    description: 'Delete all data in the database before the start, except keys and secrets.',
    exclusive: ['memory'],
  }),
}

/** The flags for the process and its output. */
export const serveProcessFlags = {
  detach: boolean({
    char: 'd',
    description: 'Run in the background. Stop the server with paycli stop.',
  }),
  open: boolean({ description: 'Open the API reference in the browser when the server is ready.' }),
  json: boolean({
    description: 'Print addresses and secrets as JSON on the first line of stdout.',
  }),
  'ready-file': string({
    description: 'Write the JSON of --json to this file when the server is ready.',
    helpValue: '<file>',
  }),
  'log-format': string({
    description: 'Format of the request log on stderr.',
    options: ['pretty', 'json', 'silent'],
    default: 'pretty',
  }),
  // Programs that start the server as a child process use this flag: the server stops when the program ends, even if
  // the program is killed.
  'until-stdin-ends': boolean({ description: 'Stop when standard input ends.', hidden: true }),
}

const MAX_PORT = 65_535

/**
 * Returns the port of the pages (default: the API port plus 1, or 0 if the API port is 0). Throws if the port is the
 * API port or out of range.
 */
export function resolvePagesPort(port: number, pagesFlag: number | undefined): number {
  const pages = pagesFlag ?? (port === 0 ? 0 : port + 1)
  if (pages === 0 || (pages !== port && pages <= MAX_PORT)) return pages
  const problem =
    pages === port
      ? `The API and the hosted pages cannot both use port ${port}.`
      : `There is no port after ${port} for the hosted pages.`
  throw new UsageError('flag_invalid', problem, {
    param: 'checkout-port',
    hint: 'Choose another port for the pages with --checkout-port <port> (0 for any free port).',
  })
}

const MAX_NAME_CHARACTERS = 100

/** Parses the business name: one line of text, without surrounding white space. */
export function parseBusinessName(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const name = text.trim()
  const problem = findNameProblem(name)
  if (problem === null) return name
  throw new UsageError('flag_invalid', `The business name ${problem}.`, {
    param: 'business-name',
    hint: `Use one line of up to ${MAX_NAME_CHARACTERS} characters, such as 'Northwind Rentals', or omit the flag.`,
  })
}

function findNameProblem(name: string): string | null {
  const length = [...name].length
  if (length === 0) return 'is empty'
  if (length > MAX_NAME_CHARACTERS) return `has ${length} characters, more than ${MAX_NAME_CHARACTERS}`
  return /[\p{Cc}\p{Zl}\p{Zp}]/u.test(name) ? 'contains a control character, such as a line break' : null
}

const LIVE_KEY = /^\s*[a-z]+_live_/i

/** Parses the public URL of the API or of the pages. Returns the URL without a trailing slash. */
export function parsePublicUrl(text: string, param: 'api-url' | 'checkout-url'): string {
  const url = URL.canParse(text) && !/\s/.test(text) ? new URL(text) : null
  if (url && /^https?:$/.test(url.protocol) && url.username + url.password + url.search + url.hash === '') {
    return url.origin + url.pathname.replace(/\/+$/, '')
  }
  const hint =
    'Use an http or https URL without credentials, query or fragment, such as https://pay.example.com.'
  throw createInvalidFlagError(param, text, 'a public URL', hint)
}

/** Parses the API key of `serve`; an empty key counts as absent. Messages do not contain the key. */
export function parseApiKey(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined
  rejectLiveKey(text, 'api-key')
  const sandbox = getKeySandboxId(text)
  if (sandbox !== DEFAULT_SANDBOX) {
    throw new UsageError('flag_invalid', `The API key belongs to the sandbox '${sandbox}' of a server.`, {
      param: 'api-key',
      hint: 'The server would search the key in that sandbox. Omit the flag, and unset PAYCLI_API_KEY.',
    })
  }
  if (/^[\x21-\x7e]+$/.test(text)) return text
  throw new UsageError('flag_invalid', 'The API key contains an invalid character.', {
    param: 'api-key',
    hint: 'Use printable ASCII without spaces, such as paysk_test_mine, or omit the flag.',
  })
}

/** Throws for the live key of a real payment service. The key is neither stored nor part of the message. */
export function rejectLiveKey(text: string, param: string): void {
  if (!LIVE_KEY.test(text)) return
  throw new UsageError('flag_invalid', 'This key is a live key of another service. The key was not stored.', {
    param,
    hint: 'Use a test key, such as paysk_test_mine. Roll the live key if it was exposed.',
  })
}

/** Parses the signing secret of forwarded webhooks, as in Standard Webhooks. Messages do not contain the secret. */
export function parseWebhookSecret(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined
  if (/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/.test(text)) return text
  throw new UsageError('flag_invalid', 'Invalid webhook secret: expected whsec_ followed by base64.', {
    param: 'webhook-secret',
    hint: 'Use whsec_ and 24 to 64 random bytes in base64, or omit the flag.',
  })
}

/**
 * Parses `--db`: the URL of a PostgreSQL database, or a file path, which is returned as an absolute path. Throws for
 * other URLs and an empty path. A shared database requires a strong key, because the key is valid on all its servers.
 */
export function parseDatabase(text: string, apiKey?: string): string {
  if (/^postgres(ql)?:\/\//i.test(text)) {
    requireStrongKey(apiKey, 'a database that several servers can share')
    return text
  }
  // A mistyped URL may contain a password, which must not become a file name.
  const isFile = /^[A-Z]:[\\/]/i.test(text) || existsSync(text)
  const isUrl =
    text.includes('://') || /^\W*(jdbc:)?postgres(ql)?:/i.test(text) || (!isFile && /:.*@/s.test(text))
  if (!isUrl && text !== '') return resolve(text)
  const [scheme = ''] = /^[\w:+]+(?=:\/\/)/.exec(text) ?? []
  const problem =
    scheme === '' ? 'The value is not a database URL.' : `Unsupported database URL: ${scheme}://.`
  const message = isUrl ? problem : 'The path of the database is empty.'
  const hint = 'Use the path of a file, or a URL such as postgres://user@host/name.'
  throw new UsageError('flag_invalid', message, { param: 'db', hint })
}

/** The values of `--on-exhausted`. */
export const ON_EXHAUSTED_CHOICES: string[] = [...EXHAUSTION_POLICIES]

/** Returns the retry policy of failed invoices from `--dunning` and `--on-exhausted`, or the default policy. */
export function parseDunning(days: string | undefined, onExhausted: string | undefined): DunningPolicy {
  const { retry_days, on_exhausted } = DEFAULT_DUNNING_POLICY
  return {
    retry_days: days === undefined ? retry_days : parseDays(days),
    on_exhausted: EXHAUSTION_POLICIES.find((one) => one === onExhausted) ?? on_exhausted,
  }
}

function parseDays(text: string): number[] {
  const days = parseRetryDays(text)
  if (days !== null) return days
  throw new UsageError(
    'flag_invalid',
    `Invalid retry days '${text}': expected ${RETRY_DAYS_FORMAT_DESCRIPTION}.`,
    {
      param: 'dunning',
    },
  )
}

/** Converts a DomainError of the server start to the UsageError of the flag. Returns other errors unchanged. */
export function toFlagError(error: unknown): unknown {
  if (!(error instanceof DomainError)) return error
  const { param } = error.details
  return new UsageError('flag_invalid', error.message, param ? { param: param.replaceAll('_', '-') } : {})
}
