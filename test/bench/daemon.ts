import { createScenes } from '../../src/cli/serve/dashboard.ts'
import { startDaemon } from '../../src/daemon/start.ts'
import { freePort } from '../support/ports.ts'
import { threadCpuMicroseconds } from './machine-time.ts'

const TICK_MS = 1
const LEAST_STALL_MS = 2

export interface MeasuredDaemonOptions {
  readonly folder: string
  /** A database file or URL; null keeps everything in memory. */
  readonly file: string | null
  /** Public address of the hosted pages, if it is not on this machine. */
  readonly checkoutUrl?: string
  /** Lead of the daemon's clock over the clock of this machine, in milliseconds (default: 0). */
  readonly skewMs?: number
  readonly hasDashboard?: boolean
}

/** Starts the real daemon with all features and a silent log, and adds commands that measure it. */
export async function startMeasuredDaemon({
  folder,
  file,
  checkoutUrl,
  skewMs = 0,
  hasDashboard = false,
}: MeasuredDaemonOptions) {
  if (skewMs !== 0) skewMachine(skewMs)
  const checkoutPort = await freePort()
  const daemon = await startDaemon({
    home: folder,
    db: file,
    port: 0,
    checkoutPort,
    forwardTo: [],
    retries: 'none',
    log: () => {},
    pid: process.pid,
    isServiceRunning: async () => false,
    ...(checkoutUrl === undefined ? {} : { checkoutUrl }),
    ...(hasDashboard && { createScenes }),
  })
  const { port } = new URL(daemon.location.api_url)
  const stalls: number[] = []
  return {
    port: () => Number(port),
    checkoutPort: () => checkoutPort,
    key: () => daemon.location.api_key,
    /** Returns an address that signs a browser in to the dashboard. */
    newDashboardUrl: () => daemon.newDashboardUrl?.() ?? '',
    cpuMicroseconds: threadCpuMicroseconds,
    /** Starts to record how long the event loop is blocked, in milliseconds. */
    watchStalls() {
      watchLoop((ms) => stalls.push(ms))
    },
    stalls: (): readonly number[] => stalls,
    stop: () => daemon.stop(),
    /** Exits normally, so that Node writes its CPU profile. */
    exit() {
      setImmediate(() => process.exit())
    },
  }
}

// The daemon and its libraries read the clock through Date.now().
function skewMachine(skewMs: number): void {
  const real = Date.now
  Date.now = () => real() + skewMs
}

function watchLoop(note: (ms: number) => void): void {
  let last = performance.now()
  setInterval(() => {
    const now = performance.now()
    if (now - last - TICK_MS >= LEAST_STALL_MS) note(now - last - TICK_MS)
    last = now
  }, TICK_MS)
}
