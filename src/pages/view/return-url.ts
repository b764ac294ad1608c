import type { AnySession } from './links.ts'

const MAX_URL_CHARACTERS = 2048
const ID_LITERALS = /\{(?:PAYMENT|CHECKOUT)_SESSION_ID\}/g

/** Where a buyer goes back to. */
export interface ReturnTarget {
  /** Exactly the session's `return_url`, with the id in place of `{PAYMENT_SESSION_ID}` or `{CHECKOUT_SESSION_ID}`. */
  readonly url: string
  /** Its host, to be shown. */
  readonly host: string
}

/** Checks a session's `return_url` anew, at the moment it is used; null when there is none a buyer may be sent to. */
export function returnTarget({ id, return_url }: Pick<AnySession, 'id' | 'return_url'>): ReturnTarget | null {
  if (return_url === null || return_url.length > MAX_URL_CHARACTERS) return null
  const url = return_url.replace(ID_LITERALS, id)
  if (!URL.canParse(url)) return null
  const { protocol, username, password, host } = new URL(url)
  const isWeb = protocol === 'http:' || protocol === 'https:'
  return isWeb && username === '' && password === '' ? { url, host } : null
}
