import { isPaymentProcessing } from '../../domain/payment-processing.ts'
import { effectiveTimeOf, resolveTime } from '../../engine/effective-time.ts'
import { loadPendingAuthentication } from '../../engine/pending-authentication.ts'
import type { Runtime } from '../../engine/runtime.ts'
import type { AnySession } from '../view/links.ts'

export interface OpenSessionState {
  /** The time of its test clock, or real time; Unix seconds. */
  readonly now: number
  /** Whether a charge waits for the issuer's decision. */
  readonly isProcessing: boolean
}

/** Loads the state of an open session. Rejects when its test clock is advancing, failed or deleted. */
export async function loadOpenSessionState(
  { store, wallNow }: Runtime,
  session: AnySession,
): Promise<OpenSessionState> {
  const now = await resolveTime(effectiveTimeOf(session), store, wallNow())
  const { payment } = await loadPendingAuthentication(store, session.id)
  return { now, isProcessing: isPaymentProcessing(payment) }
}
