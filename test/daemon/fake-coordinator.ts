import type { ProcessCoordinator } from '../../src/store/port/store.ts'

/** A process coordinator with other processes that the test simulates. */
export interface FakeCoordinator extends ProcessCoordinator {
  /** The calls in order, such as `take a,b 10`. */
  readonly calls: string[]
  /** Names that another process holds or announced. */
  readonly elsewhere: Set<string>
  /** Number of processes, including this one. */
  processes: number
  /** The error that every call rejects with, or null. */
  failure: Error | null
  /** The warning about too few connections, or null. */
  shortageWarning: string | null
}

/** Creates a coordinator without other processes. */
export function createFakeCoordinator(): FakeCoordinator {
  const calls: string[] = []
  const elsewhere = new Set<string>()
  async function note(call: string): Promise<void> {
    calls.push(call)
    if (self.failure !== null) throw self.failure
  }
  const self: FakeCoordinator = {
    calls,
    elsewhere,
    processes: 1,
    failure: null,
    shortageWarning: null,
    async heartbeat() {
      if (self.failure !== null) throw self.failure
      return self.processes
    },
    async acquireLeases(names, seconds, limit = names.length) {
      await note(`take ${names} ${seconds}`)
      return names.filter((name) => !elsewhere.has(name)).slice(0, limit)
    },
    releaseLeases: (names) => note(`release ${names}`),
    announcePresence: (names, seconds) => note(`announce ${names} ${seconds}`),
    async findAnnouncedElsewhere(names) {
      await note(`announcedElsewhere ${names}`)
      return names.filter((name) => elsewhere.has(name))
    },
    async isWritable() {
      await note('isWritable')
      return true
    },
    connectionShortage: () => self.shortageWarning,
    onChange() {},
  }
  return self
}
