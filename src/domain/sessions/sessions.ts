import { brandingField, brandingParam, createBranding } from '../branding/branding.ts'
import { type Change, type IdPrefix, type ObjectUpdate, type RuleContext, toUpdate } from '../core/changes.ts'
import { DomainError, type ValidationError } from '../core/domain-error.ts'
import * as p from '../core/params.ts'
import * as s from '../core/schema.ts'
import { cancelUnauthenticatedPayment, type Payment } from '../payments/payments.ts'
import { formatTimestamp } from '../text/format-timestamp.ts'

/** The schema of the status of a session. */
export const sessionStatusSchema = s.enumOf(
  ['open', 'complete', 'expired'],
  '`open` while the customer can use the URL; afterwards `complete`, or `expired` if the session was not completed.',
)

const expirationReason = s.enumOf(
  ['time', 'api', 'customer_deleted'],
  'The reason why the session expired: its deadline passed, the API expired it, or its customer was deleted. Null if the session has not expired.',
)

/** The values of `locale`: the language of the browser, or one of the languages of the pages. */
export const LOCALES = ['auto', 'en', 'de', 'fr', 'es', 'pt', 'ja', 'ar'] as const

/** The fields for the brand, the language and the end of a session. */
export const trailingSessionProperties = {
  branding: brandingField,
  client_reference_id: s.nullable(s.text('Your own id of the session; null if not given.')),
  locale: s.nullable(
    s.enumOf(
      LOCALES,
      'The language of the page; with `auto` or null, the language of the browser. The customer can choose another language.',
    ),
  ),
  expires_at: s.timestamp('Time at which the session expires.'),
  completed_at: s.nullable(
    s.timestamp('Time at which the customer completed the session; null before completion.'),
  ),
  expired_at: s.nullable(s.timestamp('Time at which the session expired; null if it has not expired.')),
  expiration_reason: s.nullable(expirationReason),
}

/** The fields for the end of a session that collects a payment. */
export const trailingPaidSessionProperties = {
  ...trailingSessionProperties,
  payment: s.nullable(
    s.id('The approved payment, or the direct debit; null before the session is completed.'),
  ),
}

/** The common parameters of new sessions of all kinds. */
export const sessionParams = {
  client_reference_id: { ...p.id('Your own id for the session, up to 200 characters.'), maxLength: 200 },
  locale: p.choice(
    LOCALES,
    'Language of the page. The customer can choose another language (default: auto, the language of the browser).',
  ),
  expires_at: p.integer(
    { min: 0, errorCodes: { minimum: 'expires_at_out_of_range' } },
    'Expiry in Unix seconds, 30 minutes to 70 days in the future (default: 24 hours from now).',
  ),
  branding: brandingParam,
  metadata: p.metadata(),
}

type CommonSessionFields = {
  readonly [K in keyof typeof sessionParams]?: s.ValueOf<(typeof sessionParams)[K]>
}

export type SessionStatus = s.ValueOf<typeof sessionStatusSchema>
export type ExpirationReason = s.ValueOf<typeof expirationReason>

/** The common fields of all sessions. The page at `url` accepts input until the session is complete or expired. */
export interface Session {
  readonly id: string
  readonly object: 'checkout_session' | 'payment_session' | 'card_session' | 'portal_session'
  readonly status: SessionStatus
  readonly url: string
  readonly expires_at: number
}

type CompletableSession = Session & { readonly object: Exclude<Session['object'], 'portal_session'> }

const DEFAULT_LIFETIME_SECONDS = 86_400
const MIN_LIFETIME_SECONDS = 30 * 60
const MAX_LIFETIME_SECONDS = 70 * 86_400

/** The prefix of the ids of each kind of session, and the first segment of the path of its page. */
export const SESSION_PREFIXES_AND_PATHS = {
  checkout_session: { idPrefix: 'cks_', folder: 'checkout' },
  payment_session: { idPrefix: 'py_sess_', folder: 'sessions' },
  card_session: { idPrefix: 'cd_sess_', folder: 'cards' },
  portal_session: { idPrefix: 'pt_sess_', folder: 'portal' },
} as const satisfies Record<Session['object'], { readonly idPrefix: IdPrefix; readonly folder: string }>

/** Returns the first fields of a new session, up to its status. */
export function createLeadingSessionFields<K extends Session['object']>(object: K, context: RuleContext) {
  const { idPrefix, folder } = SESSION_PREFIXES_AND_PATHS[object]
  const id = context.newId(idPrefix)
  const url = `${context.checkoutUrl}/${folder}/${id}`
  return { id, object, created: context.now, livemode: false, url, status: 'open' } as const
}

/** Returns the fields of `trailingSessionProperties` of a new session, which expires after 24 h without `expires_at`. */
export function createTrailingSessionFields(
  { branding, client_reference_id, locale, expires_at }: CommonSessionFields,
  { now }: Pick<RuleContext, 'now'>,
) {
  return {
    branding: createBranding(branding),
    client_reference_id: client_reference_id ?? null,
    locale: locale ?? null,
    expires_at: expires_at ?? now + DEFAULT_LIFETIME_SECONDS,
    completed_at: null,
    expired_at: null,
    expiration_reason: null,
  }
}

/** Returns the validation errors of `expires_at`: it must be 30 minutes to 70 days in the future. */
export function listSessionExpiryErrors(given: number | null | undefined, now: number): ValidationError[] {
  if (given === undefined || given === null) return []
  const lifetime = given - now
  if (lifetime >= MIN_LIFETIME_SECONDS && lifetime <= MAX_LIFETIME_SECONDS) return []
  const distance = lifetime < 0 ? `${-lifetime} seconds ago` : `${lifetime} seconds from now`
  const message = `Invalid expires_at ${formatTimestamp(given)}: it is ${distance}, and must be 30 minutes (${MIN_LIFETIME_SECONDS} s) to 70 days (${MAX_LIFETIME_SECONDS} s) from now, in Unix seconds.`
  return [{ code: 'expires_at_out_of_range', param: 'expires_at', message }]
}

/** Formats a session for messages: `payment_session 'py_sess_1'`. */
export function formatSessionReference({ object, id }: Pick<Session, 'object' | 'id'>): string {
  return `${object} '${id}'`
}

/** Throws unless the session is open and `now`, in Unix seconds, is before `expires_at`. */
export function requireOpenSession(session: Session, action: string, now: number): void {
  if (session.status === 'open' && now < session.expires_at) return
  const state = session.status === 'open' ? 'expired' : session.status
  throw new DomainError(
    `${session.object}_unexpected_state`,
    `Cannot ${action} ${formatSessionReference(session)}: it is ${state}, and only open sessions can be changed. Create a new session instead.`,
  )
}

/** Completes a session and sets the fields of the objects that it created. This event ends the transaction. */
export function completeSession<S extends CompletableSession>(
  session: S,
  created: Omit<Partial<S>, keyof Session>,
  context: RuleContext,
): ObjectUpdate<S> {
  return toUpdate(`${session.object}.completed`, session, {
    ...session,
    ...created,
    status: 'complete',
    completed_at: context.now,
  })
}

/** Expires an open session. A payment that requires authentication is canceled first. */
export function expireSession<S extends Session>(
  session: S,
  { reason, payment }: { readonly reason: ExpirationReason; readonly payment: Payment | null },
  context: RuleContext,
): Change[] {
  const expired_at = reason === 'time' ? session.expires_at : context.now
  const after = { ...session, status: 'expired', expired_at, expiration_reason: reason }
  return [
    ...cancelUnauthenticatedPayment(payment, 'session_expired', context),
    toUpdate(`${session.object}.expired`, session, after),
  ]
}
