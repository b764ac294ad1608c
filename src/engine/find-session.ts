import type { AnySession } from '../domain/completion/any-session.ts'
import type { StoreReader } from '../store/port/store.ts'

/** The collection of each kind of session. */
const COLLECTIONS = {
  checkout_session: 'checkout_sessions',
  payment_session: 'payment_sessions',
  card_session: 'card_sessions',
} as const

/** Loads a session of a kind; null when it does not exist. */
export function findSession(
  reader: StoreReader,
  object: AnySession['object'],
  id: string,
): Promise<AnySession | null> {
  return reader.get(COLLECTIONS[object], id)
}

/** Loads a session of any kind; null when it does not exist. */
export async function findAnySession(reader: StoreReader, id: string): Promise<AnySession | null> {
  return (
    (await reader.get('checkout_sessions', id)) ??
    (await reader.get('payment_sessions', id)) ??
    reader.get('card_sessions', id)
  )
}
