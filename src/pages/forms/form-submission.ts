import type { Decision, RuleContext } from '../../domain/core/changes.ts'
import type { DomainError } from '../../domain/core/domain-error.ts'
import type { EventRequest } from '../../domain/events/events.ts'
import {
  consumeFormToken,
  type FormOutcome,
  type UsedFormToken,
} from '../../domain/requests/used-form-tokens.ts'
import { commitAfterDueJobs } from '../../engine/real-time-jobs.ts'
import type { Runtime } from '../../engine/runtime.ts'
import { REAL_TIME, type TimeReference } from '../../engine/time-reference.ts'

type Store = Runtime['store']

/** The reader of a store transaction. */
export type TransactionReader = Parameters<Parameters<Store['transact']>[0]>[0]

/** The error for a submitted form whose charge would differ from the charge that its page showed. */
export class ChangedOfferError extends Error {}

/** The session, invoice or payment that a form changes. */
export interface FormSubject<L> {
  readonly id: string
  /** Loads the subject; resolves with null when the form can no longer be applied. */
  readonly load: (reader: TransactionReader) => Promise<L | null>
  readonly when: (loaded: L) => TimeReference
}

/** A submitted form. */
export interface SubmitFormOnceOptions<L> {
  readonly subject: FormSubject<L>
  readonly nonce: string
  /** The `request` of the events (default: null). */
  readonly request?: EventRequest
  /** Decides the changes; returns null when the form can no longer be applied. */
  readonly decide: (loaded: L, context: RuleContext) => Decision<FormOutcome> | null
  /** Returns the last four digits of the submitted card; absent for a form without a card. */
  readonly getLast4?: (loaded: L) => string
}

interface LoadedSubmission<L> {
  readonly used: UsedFormToken | null
  readonly subject: L | null
}

/**
 * Applies a form once. A repeated submission returns the first outcome and changes nothing. Resolves with null when the
 * form can no longer be applied. Rejects when the customer can correct the form; the token of the form then stays
 * valid.
 */
export function submitFormOnce<L>(
  runtime: Runtime,
  form: SubmitFormOnceOptions<L>,
): Promise<FormOutcome | null> {
  return commitAfterDueJobs<LoadedSubmission<L>, FormOutcome | null>(runtime, {
    request: form.request ?? null,
    load: (reader) => loadSubmission(reader, form),
    // A repeated form returns its outcome even when the test clock is not ready.
    when: ({ subject }) => (subject === null ? REAL_TIME : form.subject.when(subject)),
    decide: (loaded, context) => decideSubmission(loaded, form, context),
  })
}

/** Converts the decision of an operation to the decision of the form that calls the operation. */
export function toFormDecision(decision: Decision<unknown>): Decision<FormOutcome> {
  return 'error' in decision ? decision : { changes: decision.changes, result: { kind: 'done' } }
}

/** Returns the outcome of an earlier submission for the same subject; null without such a submission. */
export async function findFormOutcome(
  reader: TransactionReader,
  subjectId: string,
  nonce: string,
): Promise<FormOutcome | null> {
  const used = await reader.get('form_tokens', tokenId(nonce))
  return used?.subject === subjectId ? used.outcome : null
}

async function loadSubmission<L>(
  reader: TransactionReader,
  { subject, nonce }: SubmitFormOnceOptions<L>,
): Promise<LoadedSubmission<L>> {
  const used = await reader.get('form_tokens', tokenId(nonce))
  return { used, subject: used === null ? await subject.load(reader) : null }
}

function decideSubmission<L>(
  { used, subject }: LoadedSubmission<L>,
  form: SubmitFormOnceOptions<L>,
  context: RuleContext,
): Decision<FormOutcome | null> {
  if (used !== null) return { changes: [], result: used.outcome }
  const decision = subject === null ? null : form.decide(subject, context)
  if (subject === null || decision === null) return { changes: [], result: null }
  const outcome =
    'error' in decision
      ? toDeclinedOutcome(decision.error, form.getLast4?.(subject))
      : toStoredOutcome(decision.result)
  const token = consumeFormToken({
    id: tokenId(form.nonce),
    subject: form.subject.id,
    outcome,
    used_at: context.wallNow,
  })
  return { changes: [...decision.changes, token], result: outcome }
}

// The result of a rule also contains the changed session or invoice, which is not stored.
function toStoredOutcome(result: FormOutcome): FormOutcome {
  return result.kind === 'done' || result.kind === 'processing' ? { kind: result.kind } : result
}

function toDeclinedOutcome({ code, message, details }: DomainError, last4?: string): FormOutcome {
  const isUnknownCard = details.decline_code === 'not_a_test_card'
  return { kind: 'declined', code, message, ...(isUnknownCard || last4 === undefined ? {} : { last4 }) }
}

function tokenId(nonce: string): string {
  return `form_${nonce}`
}
