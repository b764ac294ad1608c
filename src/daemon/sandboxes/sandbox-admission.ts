import {
  createSandboxesBusyError,
  createSandboxTooLargeError,
} from '../../domain/sandboxes/sandbox-quotas.ts'
import type { Sandbox } from '../../domain/sandboxes/sandboxes.ts'
import type { Database } from '../../store/port/database.ts'
import type { OpenSandbox } from './open-sandbox.ts'
import type { ServerCapacity } from './server-capacity.ts'

/** Bounds the sandboxes that a process has open, because each has open files and its records in memory. */
export interface SandboxAdmission {
  /**
   * Opens a sandbox. While too many durable sandboxes are open, or the memory is too small, it first closes the one
   * that was idle for longest. Rejects when no other is idle.
   */
  readonly open: <T>(record: Sandbox, open: () => Promise<T>) => Promise<T>
  /** Rejects unless contents in files fit into the memory, after closing idle sandboxes if necessary. */
  readonly requireFit: (sandbox: string, file: string) => Promise<void>
}

interface SandboxAdmissionOptions {
  readonly database: Pick<Database, 'files'>
  readonly capacity: Pick<ServerCapacity, 'hasRoomFor'>
  /** Maximum number of open durable sandboxes besides the default one. */
  readonly maxOpen: number
  readonly allOpen: () => Iterable<OpenSandbox>
  /** Closes an idle sandbox until it is needed again. */
  readonly sleep: (id: string) => Promise<void>
}

/** Creates the admission of a process. */
export function createSandboxAdmission(options: SandboxAdmissionOptions): SandboxAdmission {
  const { database, capacity, maxOpen, allOpen, sleep } = options
  /** The sandboxes that are being opened, with the size of their files in bytes. */
  const loading = new Map<string, number>()

  const openDurable = () => [...allOpen()].filter(({ isDurable }) => isDurable)

  async function closeIdle(): Promise<boolean> {
    const idle = openDurable().filter(({ requests, jobs }) => !requests.areRunning() && jobs.isIdle())
    const [first, ...others] = idle
    if (first === undefined) return false
    await sleep(others.reduce((a, b) => (b.requests.lastUse() < a.requests.lastUse() ? b : a), first).id)
    return true
  }

  async function requireFit(sandbox: string, file: string): Promise<void> {
    const bytes = (await database.files?.sizeOf(file)) ?? 0
    const others = () => [...loading].reduce((sum, [id, size]) => (id === sandbox ? sum : sum + size), 0)
    if (loading.has(sandbox)) loading.set(sandbox, bytes)
    while (!capacity.hasRoomFor(bytes + others()))
      if (!(await closeIdle())) throw createSandboxTooLargeError(sandbox, bytes)
  }

  async function requireSlot(): Promise<void> {
    while (openDurable().length + loading.size > maxOpen)
      if (!(await closeIdle())) throw createSandboxesBusyError(maxOpen)
  }

  return {
    requireFit,
    async open({ id, storage }, open) {
      if (storage === 'memory') return open()
      loading.set(id, 0)
      try {
        await requireSlot()
        await requireFit(id, id)
        return await open().catch(async (error: unknown) => {
          if (!isOutOfFiles(error)) throw error
          await closeIdle()
          throw createSandboxesBusyError(openDurable().length)
        })
      } finally {
        loading.delete(id)
      }
    },
  }
}

function isOutOfFiles(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE')
}
