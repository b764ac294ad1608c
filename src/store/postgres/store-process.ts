import type { StartClockSample } from '../port/store.ts'
import type { ChangeHub } from './change-hub.ts'

/** The name by which other processes identify this process, and the common dependencies of its stores. */
export interface StoreProcessContext {
  /** Identifies the process in leases and change notifications. */
  readonly name: string
  readonly sampleClock: StartClockSample
  readonly hub: ChangeHub
  /** Called after each commit to any sandbox. */
  readonly noteCommit: () => void
}

/** SQL expression for the current time of the database in milliseconds since 1970. */
export const DATABASE_NOW_MS_SQL = 'extract(epoch FROM clock_timestamp())::float8 * 1000'
