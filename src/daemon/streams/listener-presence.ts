import type { ProcessCoordinator } from '../../store/port/store.ts'

/**
 * Validity of an announcement in seconds: the time after which an endpoint without a listener gets the status
 * `not_listening`. The time must not be shorter: during an outage of the store, this process cannot renew its
 * announcements, but its listeners stay connected.
 */
const PRESENCE_SECONDS = 300
const RENEWAL_MS = 10_000

/** The endpoints whose listeners are connected to this process, for other processes that share the store. */
export type ListenerPresence = ReturnType<typeof createListenerPresence>

/** Creates the presence of listeners; without a shared store there are no other processes. */
export function createListenerPresence(
  coordinator: ProcessCoordinator | undefined,
  monotonicMs: () => number,
) {
  let announced: ReadonlySet<string> = new Set()
  let announcedMs = Number.NEGATIVE_INFINITY

  return {
    /**
     * Announces endpoints with a listener; most calls cause no query. An endpoint that is no longer in the list stays
     * announced for five minutes, because its listener may reconnect.
     */
    async announce(endpoints: readonly string[]): Promise<void> {
      const now = monotonicMs()
      if (endpoints.every((id) => announced.has(id)) && now < announcedMs + RENEWAL_MS) return
      await coordinator?.announcePresence(endpoints, PRESENCE_SECONDS)
      // Update the time only after success, so that the next call retries a failed announcement.
      announcedMs = now
      announced = new Set(endpoints)
    },
    /** Withdraws the announcement of endpoints whose listeners left. */
    async withdraw(endpoints: readonly string[]): Promise<void> {
      announced = new Set([...announced].filter((id) => !endpoints.includes(id)))
      await coordinator?.announcePresence(endpoints, 0)
    },
    /** Returns the given endpoints that have no listener connected to another process. */
    async withoutListenerElsewhere(endpoints: readonly string[]): Promise<readonly string[]> {
      if (endpoints.length === 0 || coordinator === undefined) return endpoints
      const elsewhere = new Set(await coordinator.findAnnouncedElsewhere(endpoints))
      return endpoints.filter((id) => !elsewhere.has(id))
    },
  }
}
