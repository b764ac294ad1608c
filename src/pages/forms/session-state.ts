import { isProcessing } from '../../domain/processing.ts'
import type { Runtime } from '../../engine/runtime.ts'
import { onClockOf, unixOf } from '../../engine/time-source.ts'
import { loadWaiting } from '../../engine/waiting.ts'
import type { AnySession } from '../view/links.ts'

/** How an open session stands. */
export interface Standing {
  /** Its own time, in Unix seconds: its test clock's, or the wall's. */
  readonly now: number
  /** Whether an issuer is still thinking about a charge. */
  readonly isProcessing: boolean
}

/** Finds out how an open session stands; refuses when its test clock does not stand still. */
export async function standingOf({ store, wallNow }: Runtime, session: AnySession): Promise<Standing> {
  const now = await unixOf(onClockOf(session), store, wallNow())
  const { payment } = await loadWaiting(store, session.id)
  return { now, isProcessing: isProcessing(payment) }
}
