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
  /** Measures the heap and the total; call it regularly. In between, only every 32nd `requireRoom` measures them. */
  readonly sample: () => void
}

export interface ServerCapacityOptions {
  readonly readHeap: () => HeapSize
  /** Returns the bytes of all sandboxes, and of those in memory, as JSON text. */
  readonly countBytes: () => { readonly total: number; readonly loaded: number }
  /** The maximum of `total` (default: no limit but the memory). */
  readonly maxTotalBytes?: number | undefined
}

/** Maximum share of the heap in use. The rest is for responses, open requests and uncollected garbage. */
const HEAP_SHARE = 0.85
/** Approximate bytes of heap per byte of JSON text of loaded records. */
const HEAP_PER_BYTE = 2.5
/** Checks per measurement. With bodies of 256 KiB, the heap grows by a few megabytes between two measurements. */
const CHECKS_PER_SAMPLE = 32
/** Heap of a server without data. */
const OWN_BYTES = 40 * 1024 * 1024

/** Creates a check of the memory. Measuring takes as long as many checks, so the result is cached. */
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
      // The used heap contains garbage, so the sandboxes may need less.
      return used <= free || OWN_BYTES + countBytes().loaded * HEAP_PER_BYTE <= free
    },
    sample,
  }
}

function inMegabytes(bytes: number): string {
  return Math.ceil(bytes / 1024 / 1024).toLocaleString('en')
}
