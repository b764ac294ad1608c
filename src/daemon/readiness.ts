import { Refusal } from '../domain/refusal.ts'
import type { Store } from '../store/store.ts'
import { withinTime } from './ticker.ts'

/** A database that takes longer than this for one number is as good as away. */
const ASK_LIMIT_MS = 2000

/**
 * Makes the question whether requests can be carried out, which refuses while they cannot. What is kept on this machine
 * is always there; a database that services share is asked for one number, once for all who ask meanwhile.
 */
export function createReadiness(
  storeOf: () => Pick<Store, 'sharing' | 'newestSequence'>,
): () => Promise<void> {
  let asking: Promise<boolean> | null = null
  return async () => {
    const store = storeOf()
    if (store.sharing === undefined) return
    asking ??= isThere(store).finally(() => {
      asking = null
    })
    if (await asking) return
    throw new Refusal('unavailable', 'The database does not answer just now. Try again in a moment.', {
      retryAfterSeconds: 1,
    })
  }
}

async function isThere(store: Pick<Store, 'newestSequence'>): Promise<boolean> {
  const asked = store.newestSequence().then(
    () => true,
    () => false,
  )
  return (await withinTime(asked, ASK_LIMIT_MS)) === true
}
