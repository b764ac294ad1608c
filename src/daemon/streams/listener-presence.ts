import type { ProcessCoordinator } from '../../store/port/store.ts'

/**
 * Validity of an announcement, equal to the time after which an endpoint without a listener is disabled. It must not be
 * shorter: during an outage of the store, this process cannot renew its announcements, but its listeners stay
 * connected.
 */
const PRESENCE_SECONDS = 300
const RENEWAL_MS = 10_000

/** Records which endpoints have a listener connected to this process, for other processes that share the store. */
export interface ListenerPresence {
  /**
   * Announces endpoints with a listener; most calls cause no query. An endpoint that is no longer in the list stays
   * announced for five minutes, because its listener may reconnect.
   */
  readonly announce: (endpoints: readonly string[]) => Promise<void>
  /** Withdraws the announcement of endpoints whose listeners left. */
  readonly withdraw: (endpoints: readonly string[]) => Promise<void>
  /** Returns the endpoints without a listener that is connected to another process. */
  readonly withoutListenerElsewhere: (endpoints: readonly string[]) => Promise<readonly string[]>
}

/** Creates the presence of listeners; without a shared store there are no other processes. */
export function createListenerPresence(
  coordinator: ProcessCoordinator | undefined,
  monotonicMs: () => number,
): ListenerPresence {
  let announced: ReadonlySet<string> = new Set()
  let announcedMs = Number.NEGATIVE_INFINITY

  return {
    async announce(endpoints) {
      const now = monotonicMs()
      if (endpoints.every((id) => announced.has(id)) && now < announcedMs + RENEWAL_MS) return
      await coordinator?.announcePresence(endpoints, PRESENCE_SECONDS)
      // Updated only after success, so that the next call retries a failed announcement.
      announcedMs = now
      announced = new Set(endpoints)
    },
    async withdraw(endpoints) {
      announced = new Set([...announced].filter((id) => !endpoints.includes(id)))
      await coordinator?.announcePresence(endpoints, 0)
    },
    async withoutListenerElsewhere(endpoints) {
      if (endpoints.length === 0 || coordinator === undefined) return endpoints
      const elsewhere = new Set(await coordinator.findAnnouncedElsewhere(endpoints))
      return endpoints.filter((id) => !elsewhere.has(id))
    },
  }
}
