import { isServiceRunning } from '../../src/cli/service/service-status.ts'
import { type Client, createClient } from '../../src/client/client.ts'
import type { DaemonOptions } from '../../src/daemon/daemon-options.ts'
import { type Daemon, startDaemon } from '../../src/daemon/start.ts'
import type { LogEntry } from '../../src/daemon/system/log.ts'
import './contract-watch.ts'
import { newFolder } from './folders.ts'
import { newDatabase } from './test-store.ts'

/** A clock that tests move. It starts at the machine's time, because signature verifiers compare with it. */
export interface TestClock {
  readonly nowMs: () => number
  /** Unix seconds. */
  readonly now: () => number
  readonly move: (seconds: number) => void
}

/** A daemon in this process with its addresses and client. */
export interface TestDaemon extends Daemon {
  readonly home: string
  readonly clock: TestClock
  readonly client: Client
  readonly call: Client['call']
  /** The log lines so far. */
  readonly log: readonly LogEntry[]
}

/** Creates a clock at the machine's time, rounded to seconds. */
export function createTestClock(): TestClock {
  let now = Math.floor(Date.now() / 1000)
  return {
    nowMs: () => now * 1000,
    now: () => now,
    move(seconds) {
      now += seconds
    },
  }
}

type Given = Partial<Omit<DaemonOptions, 'clock'>> & { readonly clock?: TestClock }

/** Starts a daemon on free ports with a temporary home and an empty database in the store of the run; the caller stops it. */
export async function openDaemon(given: Given = {}): Promise<TestDaemon> {
  const { clock = createTestClock(), home = newFolder() } = given
  const log: LogEntry[] = []
  const daemon = await startDaemon({
    db: await newDatabase(),
    port: 0,
    checkoutPort: 0,
    forwardTo: [],
    retries: 'default',
    log: (entry) => log.push(entry),
    pid: process.pid,
    isServiceRunning,
    ...given,
    home,
    clock,
  })
  const { api_url, api_key } = daemon.location
  const client = createClient({ apiBase: api_url, apiKey: api_key })
  return { ...daemon, home, clock, client, call: client.call, log }
}
