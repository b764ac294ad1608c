import { countRecords } from '../../engine/sandbox-copies.ts'
import type { Database } from '../../store/port/database.ts'
import { nextTurn, withTimeout } from '../system/ticker.ts'
import type { OpenSandbox } from './open-sandbox.ts'
import type { SandboxNotes, SleepingSandbox } from './sandbox-notes.ts'

/** Maximum time for running requests of a sandbox to end before it is closed. */
const DRAIN_LIMIT_MS = 5000

interface ClosingOptions {
  readonly database: Pick<Database, 'files'>
  readonly notes: Pick<SandboxNotes, 'noteSleep'>
  readonly open: Map<string, OpenSandbox>
  readonly opening: ReadonlyMap<string, Promise<OpenSandbox | null>>
  /** The last unfinished work on each closed sandbox. */
  readonly busy: Map<string, Promise<unknown>>
}

/**
 * Creates the function that closes a sandbox once its requests have ended, and runs work while it is closed. With
 * `isAsleep`, it notes the summary of the sandbox.
 */
export function createWhileClosed({ database, notes, open, opening, busy }: ClosingOptions) {
  return <T>(id: string, work: (closed: OpenSandbox | null) => Promise<T>, isAsleep = false): Promise<T> => {
    const previous = busy.get(id)
    const own = (async () => {
      await previous?.catch(() => {})
      const sandbox = open.get(id) ?? (await opening.get(id)?.catch(() => null)) ?? null
      open.delete(id)
      // A request that has just found the sandbox is not counted yet, and would fail if the store were closed now.
      if (sandbox !== null) await nextTurn()
      return endStreamsOnError(sandbox, async () => {
        notes.noteSleep(id, sandbox && (await closeSandbox(sandbox, isAsleep ? database : null)))
        return work(sandbox)
      })
    })()
    const settled = own.finally(() => {
      if (busy.get(id) === settled) busy.delete(id)
    })
    busy.set(id, settled)
    return settled
  }
}

/** Closes the store of a sandbox and stores its summary, so that the next start need not open it. */
export async function closeStore(
  { id, isDurable, runtime: { store } }: OpenSandbox,
  { files }: Pick<Database, 'files'>,
): Promise<SleepingSandbox> {
  try {
    const counts = await countRecords(store)
    const summary = { counts, bytes: store.usage().bytes, wakesAt: await store.nextDeadline() }
    await store.close()
    // Without a summary, the next start opens the sandbox.
    if (isDurable) await files?.writeSummary(id, summary).catch(() => {})
    return { ...summary, isDurable }
  } finally {
    await store.close()
  }
}

/**
 * Ends everything that runs in a sandbox, and closes its store. Resolves with its summary, which is stored in
 * `sleepIn`, or with null without `sleepIn`.
 */
async function closeSandbox(
  sandbox: OpenSandbox,
  sleepIn: Pick<Database, 'files'> | null,
): Promise<SleepingSandbox | null> {
  const { streams, requests, jobs, runtime } = sandbox
  // Deliveries to listeners would otherwise wait for their results.
  streams.hub.withdrawOffers('the sandbox closes')
  jobs.endEarlyWaits()
  await withTimeout(requests.drained(), DRAIN_LIMIT_MS)
  try {
    await jobs.stop(0)
    return sleepIn && (await closeStore(sandbox, sleepIn))
  } finally {
    await runtime.store.close()
  }
}

// Streams of the closed sandbox would stay open without messages, because the next request opens the sandbox anew.
async function endStreamsOnError<T>(sandbox: OpenSandbox | null, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    sandbox?.streams.hub.close()
    throw error
  }
}
