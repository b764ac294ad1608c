import type { Attempt, Submitted } from '../domain/card-submission.ts'
import type { Decision, World } from '../domain/changes.ts'
import { type FormOutcome, type FormToken, useFormToken } from '../domain/form-tokens.ts'
import { loadAttempt } from '../engine/attempts.ts'
import { commit } from '../engine/commit.ts'
import type { Runtime } from '../engine/runtime.ts'
import type { AnySession } from './links.ts'

type Store = Runtime['store']
type Reader = Parameters<Parameters<Store['transact']>[0]>[0]

/** One form a buyer sent. */
export interface SentForm {
  readonly session: AnySession
  readonly nonce: string
  /** What the buyer does; null when there is nothing to do it to any more. */
  readonly act: (attempt: Attempt, world: World) => Decision<Submitted> | null
  /** The last four digits of the card it is done with. */
  readonly last4: (attempt: Attempt) => string
}

interface Loaded {
  readonly used: FormToken | null
  readonly attempt: Attempt | null
}

/**
 * Does what a form asks for, once: the same form sent again has the first outcome and changes nothing. Null when its
 * session is no longer open; rejects with the refusal of a form that can be corrected, which is then not used up.
 */
export function submitOnce(runtime: Runtime, sent: SentForm): Promise<FormOutcome | null> {
  return commit<Loaded, FormOutcome | null>(runtime, {
    request: null,
    load: (reader) => load(reader, sent),
    decide: (loaded, world) => decide(loaded, sent, world),
  })
}

/** The outcome of a form that was sent before; null when it was not, or was of another session. */
export async function pastOutcome(
  reader: Reader,
  session: AnySession,
  nonce: string,
): Promise<FormOutcome | null> {
  const used = await reader.get('form_tokens', tokenId(nonce))
  return used?.session === session.id ? used.outcome : null
}

/** The session as it is now. */
export function findSession(
  reader: Reader,
  object: AnySession['object'],
  id: string,
): Promise<AnySession | null> {
  return object === 'checkout_session'
    ? reader.get('checkout_sessions', id)
    : reader.get('payment_sessions', id)
}

async function load(reader: Reader, { session, nonce }: SentForm): Promise<Loaded> {
  const used = await reader.get('form_tokens', tokenId(nonce))
  if (used !== null) return { used, attempt: null }
  const current = await findSession(reader, session.object, session.id)
  // Only an open session is sure to have a customer still.
  return { used, attempt: current?.status === 'open' ? await loadAttempt(reader, current) : null }
}

function decide({ used, attempt }: Loaded, sent: SentForm, world: World): Decision<FormOutcome | null> {
  if (used !== null) return { changes: [], result: used.outcome }
  const decision = attempt && sent.act(attempt, world)
  if (attempt === null || decision === null) return { changes: [], result: null }
  const outcome =
    'refusal' in decision ? refused(decision.refusal, sent.last4(attempt)) : decisionOutcome(decision.result)
  const token = useFormToken({
    id: tokenId(sent.nonce),
    session: sent.session.id,
    outcome,
    used_at: world.wallNow,
  })
  return { changes: [...decision.changes, token], result: outcome }
}

function decisionOutcome(submitted: Submitted): FormOutcome {
  return submitted.kind === 'done' ? { kind: 'done' } : submitted
}

function refused(
  { code, message }: { readonly code: string; readonly message: string },
  last4: string,
): FormOutcome {
  return { kind: 'refused', code, message: `${message} The card ending in ${last4} was not charged.` }
}

function tokenId(nonce: string): string {
  return `form_${nonce}`
}
