import { DomainError } from '../domain/core/domain-error.ts'
import type { Runtime } from './runtime.ts'

const MAX_RECORDS = 20_000

/** Counts the records of each read, yields to the event loop, and rejects when too many records were loaded. */
export type CountLoadedRecords = (records: number) => Promise<void>

/** Creates the counter of the records that one projection loads. */
export function createLoadedRecordCounter({
  yieldToEventLoop,
}: Pick<Runtime, 'yieldToEventLoop'>): CountLoadedRecords {
  let loaded = 0
  return async (records) => {
    loaded += records
    if (loaded > MAX_RECORDS) throw createTooLargeError()
    await yieldToEventLoop()
  }
}

/** Returns whether a projection failed because too many records would be loaded. */
export function isProjectionTooLargeError(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'projection_too_large'
}

function createTooLargeError(): DomainError {
  return new DomainError(
    'projection_too_large',
    `Cannot compute this projection: its jobs need more than ${MAX_RECORDS} records, which is the limit. Finalize, void or delete draft and open invoices of the customer, or project a customer with fewer of them.`,
  )
}
