import type { EventEmitter } from 'node:events'

/** Calls a function after the last test of each file: `test/run-files.mjs` runs several files in one process. */
export function atEndOfFile(work: () => void): void {
  const events: EventEmitter = process
  for (const event of ['end-of-test-file', 'exit']) events.on(event, work)
}
