import { createHmac, timingSafeEqual } from 'node:crypto'

/** A browser that is signed in to the dashboard. */
export interface DashboardSession {
  readonly id: string
  /** Unix seconds. */
  readonly expiresAt: number
  /** The token that every request of the dashboard's script sends, so that no other page can send one. */
  readonly csrfToken: string
}

/** A new session, with the value of its cookie. */
export interface SignedIn extends DashboardSession {
  readonly cookie: string
}

export interface DashboardSessions {
  /** Returns a token that signs one browser in, once and within an hour. */
  readonly createLogin: () => string
  /** Uses a login token; returns null when it is unknown, used or expired. */
  readonly signIn: (token: string) => SignedIn | null
  /** Returns the session of a cookie; null when it is missing, forged or expired. */
  readonly read: (cookie: string | undefined) => DashboardSession | null
}

export interface DashboardSessionsOptions {
  /** Signs cookies. It is stored, so that sessions outlive a restart. */
  readonly key: string
  readonly newToken: () => string
  /** Returns real time in Unix seconds. */
  readonly wallNow: () => number
}

const LOGIN_SECONDS = 3600
const SESSION_SECONDS = 24 * 3600
/** The oldest unused logins are dropped, so that many of them cannot fill the memory. */
const MAX_LOGINS = 100

const COOKIE = /^([0-9A-Za-z]{24})\.(\d{1,12})\.([0-9A-Za-z_-]{43})$/

/** Creates the sign-in of the dashboard. A login token lives in memory, a session only in the signed cookie of its browser. */
export function createDashboardSessions(options: DashboardSessionsOptions): DashboardSessions {
  const { key, newToken, wallNow } = options
  const logins = new Map<string, number>()

  const sign = (purpose: string, text: string) =>
    createHmac('sha256', key).update(`dashboard ${purpose} ${text}`).digest('base64url')
  const toSession = (id: string, expiresAt: number): DashboardSession => ({
    id,
    expiresAt,
    csrfToken: sign('csrf', id),
  })

  return {
    createLogin() {
      const [oldest] = logins.keys()
      if (oldest !== undefined && logins.size >= MAX_LOGINS) logins.delete(oldest)
      const token = newToken()
      logins.set(token, wallNow() + LOGIN_SECONDS)
      return token
    },
    signIn(token) {
      const validUntil = logins.get(token) ?? 0
      logins.delete(token)
      if (validUntil <= wallNow()) return null
      const session = toSession(newToken(), wallNow() + SESSION_SECONDS)
      const text = `${session.id}.${session.expiresAt}`
      return { ...session, cookie: `${text}.${sign('session', text)}` }
    },
    read(cookie = '') {
      const [, id = '', expires = '', signature = ''] = COOKIE.exec(cookie) ?? []
      if (id === '' || !isSameText(signature, sign('session', `${id}.${expires}`))) return null
      const session = toSession(id, Number(expires))
      return session.expiresAt > wallNow() ? session : null
    },
  }
}

/** Compares two texts in a time that depends on their length only. */
export function isSameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
