import { resolve } from 'node:path'
import { DEFAULT_DUNNING, type Dunning, ON_EXHAUSTED, parseRetryDays } from '../domain/dunning.ts'
import { Refusal } from '../domain/refusal.ts'
import { StartupProblem } from '../domain/startup-problem.ts'
import { parseMoment } from './moments.ts'
import { UsageError } from './usage-error.ts'

const LIVE_KEY = /^[a-z]+_live_/

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
  if (/^[\x21-\x7e]+$/.test(text) && !LIVE_KEY.test(text)) return text
  const message = LIVE_KEY.test(text)
    ? 'That is a live key of another service, which has no place here. It was not kept.'
    : 'The API key holds a character that no key has.'
  const hint = 'Give any other text as a key, such as paysk_test_mine, or leave the flag out.'
  throw new UsageError('flag_invalid', message, { param: 'api-key', hint })
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
 * and an empty path, which would name the folder.
 */
export function parseDatabase(text: string): string {
  const [, scheme] = /^(\w+):\/\//.exec(text) ?? []
  if (scheme === undefined && text !== '') return resolve(text)
  if (scheme !== undefined && /^postgres(ql)?$/i.test(scheme)) return text
  const message =
    scheme === undefined
      ? 'The path of the database is empty.'
      : `No database is kept at ${scheme}:// addresses.`
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
  if (!(error instanceof Refusal)) return error
  const { param } = error.details
  return new UsageError('flag_invalid', error.message, param ? { param: param.replaceAll('_', '-') } : {})
}
