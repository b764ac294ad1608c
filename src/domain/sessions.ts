import type { RuleContext } from './changes.ts'
import { DomainError, type ValidationError } from './domain-error.ts'
import { momentText } from './moment-text.ts'

export type SessionStatus = 'open' | 'complete' | 'expired'
export type ExpirationReason = 'time' | 'api' | 'customer_deleted'

/** What both kinds of session share: a URL that works until it completes or expires, once. */
export interface Session {
  readonly id: string
  readonly object: 'checkout_session' | 'payment_session'
  readonly status: SessionStatus
  readonly url: string
  readonly expires_at: number
}

const DEFAULT_LIFETIME_SECONDS = 86_400
const MIN_LIFETIME_SECONDS = 30 * 60
const MAX_LIFETIME_SECONDS = 70 * 86_400

/** When a session's URL stops working: 24 h after creation unless given; Unix seconds. */
export function expiryOf(given: number | undefined, context: RuleContext): number {
  return given ?? context.now + DEFAULT_LIFETIME_SECONDS
}

/** What is wrong with a given expiry: it must lie 30 minutes to 70 days ahead. */
export function expiryProblems(given: number | null | undefined, now: number): ValidationError[] {
  if (given === undefined || given === null) return []
  const lifetime = given - now
  if (lifetime >= MIN_LIFETIME_SECONDS && lifetime <= MAX_LIFETIME_SECONDS) return []
  const distance = lifetime < 0 ? `${-lifetime} seconds ago` : `${lifetime} seconds from now`
  const message = `expires_at ${momentText(given)} is ${distance}; it must be between 30 minutes (${MIN_LIFETIME_SECONDS}) and 70 days (${MAX_LIFETIME_SECONDS}) ahead, in Unix seconds.`
  return [{ code: 'expires_at_out_of_range', param: 'expires_at', message }]
}

/** Names a session in a message. */
export function nameOf({ object, id }: Pick<Session, 'object' | 'id'>): string {
  return `${object} '${id}'`
}

/** Refuses anything but an open session that has time left: completing needs now < expires_at. */
export function requireOpen(session: Session, action: string, now: number): void {
  if (session.status === 'open' && now < session.expires_at) return
  const state = session.status === 'open' ? 'expired' : session.status
  throw new DomainError(
    `${session.object}_unexpected_state`,
    `Cannot ${action} ${nameOf(session)}: it is ${state}, and only an open session can be changed. Create a new session instead.`,
  )
}

/** The fields that change when a session expires. */
export function expired(reason: ExpirationReason, session: Session, now: number) {
  return {
    status: 'expired' as const,
    expired_at: reason === 'time' ? session.expires_at : now,
    expiration_reason: reason,
  }
}
