import { constants } from 'node:os'

const CODES: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** Returns whether a write failed because the disk, the quota of the user or the largest file size is exhausted. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  // libuv has no name for EDQUOT, so Node reports it as "Unknown system error -122".
  const isOverQuota = 'errno' in error && error.errno === -constants.errno.EDQUOT
  return isOverQuota || ('code' in error && CODES.has(error.code))
}
