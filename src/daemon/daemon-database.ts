import { isNewDatabase } from '../engine/sandbox-credentials.ts'
import { hasDatabase, openDatabase } from '../store/open-database.ts'
import type { Database } from '../store/port/database.ts'
import { findPlainTextWarning, isDatabaseUrl } from '../store/port/database-url.ts'
import type { DaemonOptions } from './daemon-options.ts'
import { createDatabaseClock } from './database-clock.ts'
import { type Clock, monotonicMs, systemClock, warnOfClockSkew } from './system/clock.ts'
import { createIdGenerators } from './system/ids.ts'
import { sleep, startTicker, waitForNextTurn } from './system/task-scheduling.ts'

/** Interval between checks that the database files still exist. */
const FILE_CHECK_MS = 1000

/**
 * Opens the database of a daemon, and returns it with the clock of the server and whether this start created the
 * database. `url` is the URL of the API, which the error message of a second process names. Calls `onOpen` once the
 * database is open, so that the caller can close the database after a later error.
 */
export async function openDaemonDatabase(
  options: DaemonOptions,
  url: string,
  onOpen: (database: Database) => void,
): Promise<{ readonly database: Database; readonly isNew: boolean; readonly clock: Clock }> {
  const { machineClock = systemClock, log, db } = options
  const isNewFile = db !== null && !isDatabaseUrl(db) && (options.isReset === true || !hasDatabase(db))
  const note = (level: 'info' | 'error' | 'fatal') => (message: string) =>
    log({ at_ms: machineClock.nowMs(), level, message })
  let lastCheckError = ''
  const onCheckError = (error: unknown) => {
    // Log the same error only once, not every second.
    if (lastCheckError !== String(error)) note('error')(`Cannot check the database files: ${error}`)
    lastCheckError = String(error)
  }
  const databaseClock = createDatabaseClock(monotonicMs)
  const database = await openDatabase({
    file: db,
    ...(options.isReset === undefined ? {} : { isReset: options.isReset }),
    newSuffix: createIdGenerators().newToken,
    sampleClock: databaseClock.measure,
    pause: sleep,
    scheduling: { yieldToEventLoop: waitForNextTurn, monotonicMs },
    holder: { pid: options.pid, url },
    onNote: note('info'),
    poll: (check) => startTicker(check, { everyMs: FILE_CHECK_MS, onError: onCheckError }),
    onFilesLost: note('error'),
    ...(options.onLoading === undefined ? {} : { onProgress: options.onLoading }),
    onBroken: (error) => {
      note('fatal')(`The disk failed: ${String(error)}. The server stops, because it cannot store changes.`)
      options.onBroken?.()
    },
  })
  onOpen(database)
  const warning = db !== null && isDatabaseUrl(db) ? findPlainTextWarning(db) : null
  if (warning !== null) note('info')(warning)
  const shared = databaseClock.isMeasured() ? databaseClock : null
  if (shared !== null && options.clock === undefined) warnOfClockSkew(machineClock, shared, note('info'))
  const clock = options.clock ?? shared ?? machineClock
  const isNew = isNewFile || (shared !== null && (await isNewDatabase(database.defaultStore)))
  return { database, clock, isNew }
}
