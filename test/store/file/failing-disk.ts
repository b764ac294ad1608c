import { type FileHandle, open } from 'node:fs/promises'

/** A buffer, the offset and length in it, and the position in the file. */
type WriteArguments = [bytes: Buffer, offset: number, length: number, position: number]
type Truncate = (length: number) => Promise<void>
type Write = (...args: WriteArguments) => Promise<unknown>

/** The result of a write: success, or an error with this code after half of the bytes. */
export type WriteOutcome = 'succeeds' | 'ENOSPC' | 'EIO'

export interface FailingDisk {
  /** Number of writes. */
  writes: number
  /** The results of the next writes; all later writes succeed. */
  plan: WriteOutcome[]
  /** Called and awaited before the next write. */
  onWrite: () => Promise<void>
  /** Called before a file is truncated; a rejection makes the truncation fail. */
  onTruncate: () => Promise<void>
  readonly repair: () => void
}

/** Returns the prototype of all file handles. */
export async function handlePrototype(): Promise<FileHandle> {
  const handle = await open(process.execPath)
  await handle.close()
  return Object.getPrototypeOf(handle)
}

/** Blocks the next write until the returned function is called. */
export function hold(disk: FailingDisk): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  disk.onWrite = () => promise
  return resolve
}

/** Intercepts the writes of all open files of this process until `repair` is called. */
export async function breakDisk(): Promise<FailingDisk> {
  const prototype = (await handlePrototype()) as unknown as { write: Write; truncate: Truncate }
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
    const beforeWrite = disk.onWrite
    disk.onWrite = async () => {}
    await beforeWrite()
    const succeeds = outcome === 'succeeds'
    const written = await original.call(this, bytes, offset, succeeds ? length : length >> 1, position)
    if (succeeds) return written
    throw Object.assign(new Error(`${outcome}: simulated disk failure, write`), { code: outcome })
  }
  prototype.truncate = async function truncate(this: FileHandle, length) {
    await disk.onTruncate()
    return originalTruncate.call(this, length)
  }
  return disk
}
