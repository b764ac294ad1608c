import { DEFAULT_QUOTAS, type SandboxQuotas } from '../../domain/sandboxes/sandbox-quotas.ts'
import { readOpenFileLimit, readProcessHeap } from '../system/process-limits.ts'

/** The limits of the sandboxes of a server. */
export interface ServerLimits {
  /** The limits of the contents of each sandbox other than `default`. */
  readonly quotas: SandboxQuotas
  /** Maximum total bytes of all sandboxes (default: limited only by the memory). */
  readonly maxTotalBytes?: number | undefined
  /** Maximum number of durable sandboxes that are open at the same time. */
  readonly maxOpen: number
  /** Reads the memory of the process. */
  readonly readHeap: typeof readProcessHeap
}

/** The limits that the flags of `serve` set. */
export interface LimitOptions extends Pick<ServerLimits, 'maxTotalBytes'> {
  readonly quotas?: Partial<SandboxQuotas>
  readonly maxOpen?: number | undefined
  /** Reads the memory of the process; tests replace it. */
  readonly readHeap?: typeof readProcessHeap
}

/** Records need up to 2.5 times the memory of their JSON text, so one sandbox fills less than a third of the heap. */
const HEAP_PARTS = 8
/**
 * A sandbox has up to three open files: snapshot, journal and a new snapshot. The remaining file descriptors are for
 * connections.
 */
const OPEN_FILES_PARTS = 8
const MAX_OPEN = 256

/** Returns the limits of a server, with defaults for missing options. */
export function createServerLimits({
  quotas = {},
  maxTotalBytes,
  maxOpen,
  readHeap = readProcessHeap,
}: LimitOptions = {}): ServerLimits {
  return {
    quotas: { ...DEFAULT_QUOTAS, bytes: Math.floor(readHeap().limit / HEAP_PARTS), ...quotas },
    ...{ maxTotalBytes, readHeap },
    maxOpen: maxOpen ?? Math.max(1, Math.min(MAX_OPEN, Math.floor(readOpenFileLimit() / OPEN_FILES_PARTS))),
  }
}
