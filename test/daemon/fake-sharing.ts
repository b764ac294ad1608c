import type { Sharing } from '../../src/store/port/store.ts'

/** A store's sharing as one process sees it, with other processes that the test plays. */
export interface FakeSharing extends Sharing {
  /** What was asked of it, in order, such as `take a,b 10`. */
  readonly asked: string[]
  /** What another process has taken or announced. */
  readonly elsewhere: Set<string>
  /** How many processes there are, this one included. */
  processes: number
  /** What it rejects everything with, or null. */
  failure: Error | null
  /** What it says of too few connections. */
  lacking: string | null
}

/** Makes sharing that others take part in as the test says. */
export function createFakeSharing(): FakeSharing {
  const asked: string[] = []
  const elsewhere = new Set<string>()
  async function note(what: string): Promise<void> {
    asked.push(what)
    if (self.failure !== null) throw self.failure
  }
  const self: FakeSharing = {
    asked,
    elsewhere,
    processes: 1,
    failure: null,
    lacking: null,
    async attend() {
      if (self.failure !== null) throw self.failure
      return self.processes
    },
    async take(names, seconds, most = names.length) {
      await note(`take ${names} ${seconds}`)
      return names.filter((name) => !elsewhere.has(name)).slice(0, most)
    },
    release: (names) => note(`release ${names}`),
    announce: (names, seconds) => note(`announce ${names} ${seconds}`),
    async announcedElsewhere(names) {
      await note(`announcedElsewhere ${names}`)
      return names.filter((name) => elsewhere.has(name))
    },
    async isWritable() {
      await note('isWritable')
      return true
    },
    shortage: () => self.lacking,
    onChange() {},
  }
  return self
}
