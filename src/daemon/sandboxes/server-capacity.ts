import { createServerFullError } from '../../domain/sandboxes/sandbox-quotas.ts'

/** The memory of the process in bytes. */
export interface HeapSize {
  readonly used: number
  readonly limit: number
}

/** The limits of all sandboxes of a process together. */
export interface ServerCapacity {
  /** Throws when the memory or the total of bytes is used up. */
  readonly requireRoom: () => void
  /** Returns whether contents of this many bytes of JSON text fit into the memory. */
  readonly hasRoomFor: (bytes: number) => boolean
  /** Reads memory and total; call it regularly. Writes between two calls are not seen, except about every 32nd. */
  readonly sample: () => void
}

export interface ServerCapacityOptions {
  readonly readHeap: () => HeapSize
  /** Returns the bytes of all sandboxes, and of those in memory, as JSON text. */
  readonly countBytes: () => { readonly total: number; readonly loaded: number }
  /** The maximum of that total (default: no limit but the memory). */
  readonly maxTotalBytes?: number | undefined
}

/** The rest is for responses, open requests and garbage that was not collected yet. */
const HEAP_SHARE = 0.85
/** About how many bytes of heap one byte of JSON text takes while it is loaded. */
const HEAP_PER_BYTE = 2.5
/** With bodies of 256 KiB, the heap grows by a few megabytes between two readings. */
const CHECKS_PER_SAMPLE = 32
/** Heap of a server without data. */
const OWN_BYTES = 40 * 1024 * 1024

/** Creates a check of the memory. Reading it takes as long as many checks, so the result is kept. */
export function createServerCapacity({
  readHeap,
  countBytes,
  maxTotalBytes = Number.POSITIVE_INFINITY,
}: ServerCapacityOptions): ServerCapacity {
  let reason: string | null = null
  let checks = 0

  function sample(): void {
    checks = 0
    const { used, limit } = readHeap()
    const { total } = countBytes()
    if (used > limit * HEAP_SHARE) reason = `it uses ${inMegabytes(used)} of ${inMegabytes(limit)} MB of heap`
    else if (total >= maxTotalBytes)
      reason = `its sandboxes have ${inMegabytes(total)} MB, and --max-total-mb is ${inMegabytes(maxTotalBytes)}`
    else reason = null
  }

  return {
    requireRoom() {
      checks += 1
      if (checks >= CHECKS_PER_SAMPLE) sample()
      if (reason !== null) throw createServerFullError(reason)
    },
    hasRoomFor(bytes) {
      const { used, limit } = readHeap()
      const free = limit * HEAP_SHARE - bytes * HEAP_PER_BYTE
      // The used heap contains garbage, so what the sandboxes need may be less.
      return used <= free || OWN_BYTES + countBytes().loaded * HEAP_PER_BYTE <= free
    },
    sample,
  }
}

function inMegabytes(bytes: number): string {
  return Math.ceil(bytes / 1024 / 1024).toLocaleString('en')
}
