import { constants } from 'node:os'
import { DomainError } from '../../domain/core/domain-error.ts'

const CODES: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/**
 * Returns whether a write failed because the disk is full, the quota of the user is used up or the file size limit is
 * reached.
 */
export function isDiskFullError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  // libuv has no name for EDQUOT, so Node reports it as "Unknown system error -122".
  const isOverQuota = 'errno' in error && error.errno === -constants.errno.EDQUOT
  return isOverQuota || ('code' in error && CODES.has(error.code))
}

/** Returns the error of a request that cannot be stored because the disk is full. */
export function createDiskFullError(): DomainError {
  return new DomainError(
    'storage_full',
    'The disk is full, so nothing was stored. Reads still work. Free some disk space and send the request again.',
    { retryAfterSeconds: 1 },
  )
}

/** Runs work on files; throws `storage_full` if the disk is full. */
export async function convertDiskFullErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw isDiskFullError(error) ? createDiskFullError() : error
  }
}
