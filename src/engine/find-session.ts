import type { CompletableSession } from '../domain/completion/hosted-session.ts'
import type { CollectionName } from '../store/port/collections.ts'
import type { StoreReader } from '../store/port/store.ts'

const COLLECTIONS = {
  checkout_session: 'checkout_sessions',
  payment_session: 'payment_sessions',
  card_session: 'card_sessions',
} as const satisfies Record<CompletableSession['object'], CollectionName>

/** The `object` of each kind of session that the customer completes. */
export const COMPLETABLE_SESSION_OBJECTS = Object.keys(COLLECTIONS) as readonly CompletableSession['object'][]

/** The collections of sessions that the customer completes. */
export const COMPLETABLE_SESSION_COLLECTIONS = Object.values(COLLECTIONS)

/** The collections of all sessions, including portal sessions, which the customer cannot complete. */
export const HOSTED_SESSION_COLLECTIONS = [...COMPLETABLE_SESSION_COLLECTIONS, 'portal_sessions'] as const

export type CompletableSessionCollection = (typeof COMPLETABLE_SESSION_COLLECTIONS)[number]

/** Loads a session of a kind; null for an unknown id. */
export function findSession(
  reader: StoreReader,
  object: CompletableSession['object'],
  id: string,
): Promise<CompletableSession | null> {
  return reader.get(COLLECTIONS[object], id)
}

/** Loads a session of any kind; null for an unknown id. */
export async function findCompletableSession(
  reader: StoreReader,
  id: string,
): Promise<CompletableSession | null> {
  for (const collection of COMPLETABLE_SESSION_COLLECTIONS) {
    const session = await reader.get(collection, id)
    if (session !== null) return session
  }
  return null
}
