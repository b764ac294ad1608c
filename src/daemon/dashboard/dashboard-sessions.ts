import { createHmac, timingSafeEqual } from 'node:crypto'
import { digestApiKey } from '../../api/core/auth.ts'
import { toCreation, toRemoval } from '../../domain/core/changes.ts'
import { DomainError } from '../../domain/core/domain-error.ts'
import { isUsableKey } from '../../domain/sandboxes/api-keys.ts'
import { type DashboardSession, formatBrowserName } from '../../domain/sandboxes/dashboard-sessions.ts'
import { commitRecordChanges } from '../../engine/commit.ts'
import type { StoreReader } from '../../store/port/store.ts'
import type { OpenSandbox } from '../sandboxes/open-sandbox.ts'
import type { SandboxRegistry } from '../sandboxes/sandbox-registry.ts'

/** A signed-in browser, identified by its cookie. */
export interface AuthenticatedBrowser {
  /**
   * The sandbox of the API key that signed the browser in. An API key of the default sandbox gives access to every
   * sandbox.
   */
  readonly sandbox: OpenSandbox
  readonly session: DashboardSession
  /** The token that every request of the dashboard's script contains. Other pages cannot read the token. */
  readonly csrfToken: string
}

export type DashboardSessions = ReturnType<typeof createDashboardSessions>

interface DashboardSessionsOptions {
  readonly sandboxes: Pick<SandboxRegistry, 'default' | 'opened' | 'find' | 'allOpen'>
  /** Generates a random string. */
  readonly newToken: () => string
}

const LOGIN_SECONDS = 3600
const SESSION_SECONDS = 24 * 3600
/** Maximum numbers per sandbox. Above a maximum, the oldest login or session is deleted. */
const MAX_LOGINS = 100
const MAX_SESSIONS = 100

const COOKIE = /^(default|sbx_[0-9A-Za-z]{24})\.([0-9A-Za-z]{24})\.([0-9A-Za-z]{24})$/

/**
 * Creates the sessions of the dashboard. A session is a record in the sandbox of its API key, so all servers of a
 * database accept the session, also after a restart. The record contains only the digest of the secret in the cookie.
 */
export function createDashboardSessions({ sandboxes, newToken }: DashboardSessionsOptions) {
  const { wallNow } = sandboxes.default.runtime
  const logins = createLogins(newToken, wallNow)

  /** Resolves with a sandbox, or null if it does not exist or has expired. */
  async function findSandbox(id: string): Promise<OpenSandbox | null> {
    try {
      return sandboxes.opened(id) ?? (await sandboxes.find(id))
    } catch (error) {
      if (error instanceof DomainError && UNKNOWN_SANDBOX.includes(error.code)) return null
      throw error
    }
  }

  /** Runs work on the store of a sandbox, which stays open until the work has finished. */
  async function inStore<T>(
    id: string,
    work: (sandbox: OpenSandbox) => Promise<T | null>,
  ): Promise<T | null> {
    const sandbox = await findSandbox(id)
    return sandbox === null ? null : sandbox.requests.during(() => work(sandbox))
  }

  return {
    findSandbox,
    /** Returns a token with which an API key of a sandbox signs one browser in, once and within an hour. */
    createLogin: logins.create,
    /** Signs in with a login token; resolves with null for an invalid, used or expired token or an invalid API key. */
    async signIn(token: string, userAgent: string) {
      const login = logins.take(token)
      if (login === null) return null
      return inStore(login.sandbox, async (sandbox) => {
        const [id, secret] = [newToken(), newToken()]
        const now = wallNow()
        const session: DashboardSession = {
          ...{ id, object: 'dashboard_session', created: now, expires_at: now + SESSION_SECONDS },
          ...{
            api_key: login.apiKey,
            secret_digest: digestApiKey(secret),
            browser: formatBrowserName(userAgent),
          },
        }
        const isSignedIn = await addSession(sandbox, session)
        if (!isSignedIn) return null
        return { sandbox, session, csrfToken: csrfTokenOf(secret), cookie: `${sandbox.id}.${id}.${secret}` }
      })
    },
    /** Resolves with the user of a cookie; null for a missing or forged cookie or a session that is no longer valid. */
    async read(cookie = ''): Promise<AuthenticatedBrowser | null> {
      const [, sandboxId = '', id = '', secret = ''] = COOKIE.exec(cookie) ?? []
      if (id === '') return null
      return inStore(sandboxId, async (sandbox) => {
        const session = await sandbox.runtime.store.get('dashboard_sessions', id)
        if (session === null || !isEqualInConstantTime(session.secret_digest, digestApiKey(secret)))
          return null
        if (!(await hasUsableKey(sandbox.runtime.store, session, wallNow()))) return null
        return { sandbox, session, csrfToken: csrfTokenOf(secret) }
      })
    },
    /** Resolves with whether a session and its API key are still valid. */
    async isActive({ runtime: { store } }: OpenSandbox, id: string) {
      const session = await store.get('dashboard_sessions', id)
      return session !== null && hasUsableKey(store, session, wallNow())
    },
    /** Lists the sessions of a sandbox, newest first. */
    list: async ({ runtime: { store } }: OpenSandbox) =>
      (await loadSessions(store, wallNow())).active.toReversed(),
    /** Ends a session; resolves with whether the sandbox has a session with this id. */
    async end({ runtime: { store } }: OpenSandbox, id: string) {
      const isEnded = await commitRecordChanges(store, async (reader) => {
        const session = await reader.get('dashboard_sessions', id)
        return { changes: session === null ? [] : [toRemoval(session)], result: session !== null }
      })
      // The streams of the session may be in any sandbox, and the jobs of each sandbox close its streams.
      for (const { jobs, streams } of sandboxes.allOpen()) if (streams.hub.hasReaders()) jobs.wake()
      return isEnded
    },
  }
}

const UNKNOWN_SANDBOX: readonly string[] = ['api_key_invalid', 'sandbox_expired']

interface Login {
  readonly sandbox: string
  readonly apiKey: string
  /** The expiry of the token in Unix seconds. */
  readonly validUntil: number
}

/** Creates an in-memory store of one-time login tokens. */
function createLogins(newToken: () => string, wallNow: () => number) {
  const logins = new Map<string, Login>()
  return {
    create(sandbox: string, apiKey: string): string {
      for (const [token, { validUntil }] of logins) if (validUntil <= wallNow()) logins.delete(token)
      const own = [...logins].filter(([, login]) => login.sandbox === sandbox)
      const [oldest] = own[0] ?? []
      if (oldest !== undefined && own.length >= MAX_LOGINS) logins.delete(oldest)
      const token = newToken()
      logins.set(token, { sandbox, apiKey, validUntil: wallNow() + LOGIN_SECONDS })
      return token
    },
    take(token: string): Login | null {
      const login = logins.get(token) ?? null
      logins.delete(token)
      return login === null || login.validUntil <= wallNow() ? null : login
    },
  }
}

/**
 * Stores a session, and deletes invalid sessions and the oldest sessions above the limit. Resolves with whether the API
 * key is valid.
 */
async function addSession({ runtime: { store } }: OpenSandbox, session: DashboardSession): Promise<boolean> {
  return commitRecordChanges(store, async (reader) => {
    if (!(await hasUsableKey(reader, session, session.created))) return { changes: [], result: false }
    const { active, ended } = await loadSessions(reader, session.created)
    const dropped = [...ended, ...active.slice(0, Math.max(0, active.length + 1 - MAX_SESSIONS))]
    return { changes: [...dropped.map(toRemoval), toCreation(null, session)], result: true }
  })
}

/** Resolves with the valid and the invalid sessions, each oldest first. */
async function loadSessions(reader: StoreReader, now: number) {
  const all = await reader.listOldest('dashboard_sessions', Number.MAX_SAFE_INTEGER)
  const areActive = await Promise.all(all.map((session) => hasUsableKey(reader, session, now)))
  return { active: all.filter((_, at) => areActive[at]), ended: all.filter((_, at) => !areActive[at]) }
}

/** Resolves with whether neither a session nor its API key is expired, revoked or deleted. */
async function hasUsableKey(
  reader: StoreReader,
  { expires_at, api_key }: DashboardSession,
  now: number,
): Promise<boolean> {
  if (expires_at <= now) return false
  const key = await reader.get('api_keys', api_key)
  return key !== null && isUsableKey(key, now)
}

function csrfTokenOf(secret: string): string {
  return createHmac('sha256', secret).update('dashboard csrf').digest('base64url')
}

/** Compares two strings in a time that depends only on their lengths. */
export function isEqualInConstantTime(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
