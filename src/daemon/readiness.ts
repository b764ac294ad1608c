import { databaseAway } from '../api/schema/wire-refusals.ts'
import type { Sharing, Store } from '../store/port/store.ts'
import { withinTime } from './ticker.ts'

/** A database that takes longer than this to say whether it stores anything is as good as away. */
const ASK_LIMIT_MS = 2000

/**
 * Makes the check whether requests can be carried out: it rejects while they cannot, and resolves with a warning while they
 * wait for connections to the database, or null. A database file is ready until its files are lost; a database that
 * services share is asked whether it stores, once for all concurrent checks.
 */
export function createReadiness(
  storeOf: () => Pick<Store, 'sharing' | 'failure'>,
): () => Promise<string | null> {
  let asking: Promise<boolean> | null = null
  return async () => {
    const store = storeOf()
    const failure = store.failure?.() ?? null
    if (failure !== null) throw failure
    const { sharing } = store
    if (sharing === undefined) return null
    asking ??= isThere(sharing).finally(() => {
      asking = null
    })
    if (await asking) return sharing.shortage()
    throw databaseAway(sharing.shortage())
  }
}

async function isThere(sharing: Sharing): Promise<boolean> {
  const asked = sharing.isWritable().catch(() => false)
  return (await withinTime(asked, ASK_LIMIT_MS)) === true
}
