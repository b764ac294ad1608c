import type { HostedSession } from '../../domain/completion/hosted-session.ts'

const MAX_URL_CHARACTERS = 2048
const ID_LITERALS = /\{(?:PAYMENT|CHECKOUT|CARD|PORTAL)_SESSION_ID\}/g

/** The merchant's page that the customer returns to. */
export interface ReturnTarget {
  /** The session's `return_url` with placeholders such as `{PAYMENT_SESSION_ID}` replaced by the id. */
  readonly url: string
  /** The host of the URL, for display. */
  readonly host: string
}

/** Validates a session's `return_url` again before use. Returns null when the URL is missing or invalid. */
export function findReturnTarget({
  id,
  return_url,
}: Pick<HostedSession, 'id' | 'return_url'>): ReturnTarget | null {
  if (return_url === null || return_url.length > MAX_URL_CHARACTERS) return null
  const url = return_url.replace(ID_LITERALS, id)
  const parsed = URL.parse(url)
  if (parsed === null) return null
  const { protocol, username, password, host } = parsed
  const isWeb = protocol === 'http:' || protocol === 'https:'
  return isWeb && username === '' && password === '' ? { url, host } : null
}
