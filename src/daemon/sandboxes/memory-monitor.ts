import { createServerFullError } from '../../domain/sandboxes/sandbox-quotas.ts'
import type { ServerLimits } from './server-limits.ts'

interface MemoryMonitorOptions extends Pick<ServerLimits, 'readHeap' | 'maxTotalBytes'> {
  /** Returns the size of all sandboxes, and of the sandboxes in memory, as bytes of JSON. */
  readonly countBytes: () => { readonly total: number; readonly loaded: number }
}

/** Maximum share of the heap in use. The remaining memory is for responses, open requests and uncollected garbage. */
const HEAP_SHARE = 0.85
/** Approximate bytes of heap per byte of JSON of loaded records. */
const HEAP_PER_BYTE = 2.5
/**
 * Number of `requireRoom` calls per measurement. With bodies of 256 KiB, the heap grows by a few megabytes between two
 * measurements.
 */
const CHECKS_PER_SAMPLE = 32
/** Bytes of heap that a server without data uses. */
const OWN_BYTES = 40 * 1024 * 1024

/** Monitors the memory of the process and the total of bytes of all sandboxes. */
export class MemoryMonitor {
  readonly #options: MemoryMonitorOptions
  /** The reason to reject new records, or null; cached, because a measurement takes as long as many checks. */
  #reason: string | null = null
  #checks = 0

  constructor(options: MemoryMonitorOptions) {
    this.#options = options
  }

  /** Throws when the memory or the maximum total size is used up. */
  requireRoom(): void {
    this.#checks += 1
    if (this.#checks >= CHECKS_PER_SAMPLE) this.sample()
    if (this.#reason !== null) throw createServerFullError(this.#reason)
  }

  /** Returns whether contents of `bytes` bytes of JSON fit into the memory. */
  hasRoomFor(bytes: number): boolean {
    const { readHeap, countBytes } = this.#options
    const { used, limit } = readHeap()
    const free = limit * HEAP_SHARE - bytes * HEAP_PER_BYTE
    // The used heap contains garbage, so the sandboxes may need less memory.
    return used <= free || OWN_BYTES + countBytes().loaded * HEAP_PER_BYTE <= free
  }

  /** Measures the heap and the total size; must be called regularly. Every 32nd call of `requireRoom` measures too. */
  sample(): void {
    const { readHeap, countBytes, maxTotalBytes = Number.POSITIVE_INFINITY } = this.#options
    this.#checks = 0
    const { used, limit } = readHeap()
    const { total } = countBytes()
    if (used > limit * HEAP_SHARE)
      this.#reason = `it uses ${inMegabytes(used)} of ${inMegabytes(limit)} MB of heap`
    else if (total >= maxTotalBytes)
      this.#reason = `its sandboxes have ${inMegabytes(total)} MB, and --max-total-mb is ${inMegabytes(maxTotalBytes)}`
    else this.#reason = null
  }
}

function inMegabytes(bytes: number): string {
  return Math.ceil(bytes / 1024 / 1024).toLocaleString('en')
}
