import type { Decision, RuleContext } from '../../domain/changes.ts'
import type { DomainError } from '../../domain/domain-error.ts'
import { type FormOutcome, type FormToken, useFormToken } from '../../domain/form-tokens.ts'
import { commitInTime } from '../../engine/real-time.ts'
import type { Runtime } from '../../engine/runtime.ts'
import { type Moment, realTime } from '../../engine/time-source.ts'

type Store = Runtime['store']

/** Reads within a transaction. */
export type Reader = Parameters<Parameters<Store['transact']>[0]>[0]

/** What a form acts on: how it is read, and what came of it. */
export interface Subject<L, R> {
  /** The id of the session or the invoice. */
  readonly id: string
  /** Null when nothing can be done to it any more. */
  readonly load: (reader: Reader) => Promise<L | null>
  readonly when: (loaded: L) => Moment
  readonly outcomeOf: (result: R) => FormOutcome
}

/** One form a buyer sent. */
export interface SentForm<L, R> {
  readonly subject: Subject<L, R>
  readonly nonce: string
  /** What the buyer does; null when there is nothing to do it to any more. */
  readonly act: (loaded: L, context: RuleContext) => Decision<R> | null
  /** The last four digits of the card it is done with. */
  readonly last4: (loaded: L) => string
}

interface Loaded<L> {
  readonly used: FormToken | null
  readonly subject: L | null
}

/**
 * Does what a form asks for, once: the same form sent again has the first outcome and changes nothing. Null when there
 * is nothing to do it to; rejects with the refusal of a form that can be corrected, which is then not used up.
 */
export function submitOnce<L, R>(runtime: Runtime, sent: SentForm<L, R>): Promise<FormOutcome | null> {
  return commitInTime<Loaded<L>, FormOutcome | null>(runtime, {
    request: null,
    load: (reader) => load(reader, sent),
    // What was done before is told whatever the clock of its subject does now.
    when: ({ subject }) => (subject === null ? realTime : sent.subject.when(subject)),
    decide: (loaded, context) => decide(loaded, sent, context),
  })
}

/** The outcome of a form that was sent before; null when it was not, or was of something else. */
export async function pastOutcome(
  reader: Reader,
  subjectId: string,
  nonce: string,
): Promise<FormOutcome | null> {
  const used = await reader.get('form_tokens', tokenId(nonce))
  return used?.subject === subjectId ? used.outcome : null
}

async function load<L, R>(reader: Reader, { subject, nonce }: SentForm<L, R>): Promise<Loaded<L>> {
  const used = await reader.get('form_tokens', tokenId(nonce))
  return { used, subject: used === null ? await subject.load(reader) : null }
}

function decide<L, R>(
  { used, subject }: Loaded<L>,
  sent: SentForm<L, R>,
  context: RuleContext,
): Decision<FormOutcome | null> {
  if (used !== null) return { changes: [], result: used.outcome }
  const decision = subject === null ? null : sent.act(subject, context)
  if (subject === null || decision === null) return { changes: [], result: null }
  const outcome =
    'refusal' in decision
      ? refused(decision.refusal, sent.last4(subject))
      : sent.subject.outcomeOf(decision.result)
  const token = useFormToken({
    id: tokenId(sent.nonce),
    subject: sent.subject.id,
    outcome,
    used_at: context.wallNow,
  })
  return { changes: [...decision.changes, token], result: outcome }
}

function refused({ code, message, details }: DomainError, last4: string): FormOutcome {
  const isStranger = details.decline_code === 'not_a_test_card'
  return { kind: 'refused', code, message, ...(isStranger ? {} : { last4 }) }
}

function tokenId(nonce: string): string {
  return `form_${nonce}`
}
