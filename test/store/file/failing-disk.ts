import { type FileHandle, open } from 'node:fs/promises'
import { constants } from 'node:os'

/** Bytes, where they begin and how many, and the place in the file. */
type WriteArguments = [bytes: Buffer, offset: number, length: number, position: number]
type Truncate = (length: number) => Promise<void>
type Write = (...args: WriteArguments) => Promise<unknown>

/** How a write ends: as it should, or with an error of that code after half of its bytes. */
export type WriteOutcome = 'succeeds' | 'ENOSPC' | 'EDQUOT' | 'EIO'

export interface FailingDisk {
  /** How many writes there were. */
  writes: number
  /** How writes end from now on, in their order; those after the last succeed. */
  plan: WriteOutcome[]
  /** Called before the next write, which waits for it. */
  onWrite: () => Promise<void>
  /** Called before a file is cut; what it rejects with is how that fails. */
  onTruncate: () => Promise<void>
  readonly repair: () => void
}

// As Node reports them: EDQUOT has no name in libuv.
function failure(outcome: WriteOutcome): Error {
  const errno = -constants.errno[outcome as 'EDQUOT']
  const code = outcome === 'EDQUOT' ? `Unknown system error ${errno}` : outcome
  return Object.assign(new Error(`${code}: the test's disk fails, write`), { code, errno })
}

/** Takes over the writes of all open files of this process until it is repaired. */
export async function breakDisk(): Promise<FailingDisk> {
  const handle = await open(process.execPath)
  const prototype: { write: Write; truncate: Truncate } = Object.getPrototypeOf(handle)
  await handle.close()
  const original = prototype.write
  const originalTruncate = prototype.truncate
  const disk: FailingDisk = {
    writes: 0,
    plan: [],
    onWrite: async () => {},
    onTruncate: async () => {},
    repair: () => {
      prototype.write = original
      prototype.truncate = originalTruncate
    },
  }
  prototype.write = async function write(this: FileHandle, ...[bytes, offset, length, position]) {
    disk.writes += 1
    const outcome = disk.plan.shift() ?? 'succeeds'
    const first = disk.onWrite
    disk.onWrite = async () => {}
    await first()
    const isGood = outcome === 'succeeds'
    const written = await original.call(this, bytes, offset, isGood ? length : length >> 1, position)
    if (isGood) return written
    throw failure(outcome)
  }
  prototype.truncate = async function truncate(this: FileHandle, length) {
    await disk.onTruncate()
    return originalTruncate.call(this, length)
  }
  return disk
}
