import {
  createOpenSandboxLimitError,
  createSandboxTooLargeError,
} from '../../domain/sandboxes/sandbox-quotas.ts'
import type { Sandbox } from '../../domain/sandboxes/sandboxes.ts'
import type { OpenSandbox, SandboxDependencies } from './open-sandbox.ts'

interface OpenSandboxes {
  allOpen(): Iterable<OpenSandbox>
  sleep(id: string): Promise<void>
}

/** Limits the number of open sandboxes of a process, because each sandbox has open files and records in memory. */
export class OpenSandboxLimiter {
  readonly #registry: OpenSandboxes
  readonly #options: Pick<SandboxDependencies, 'database' | 'shared'>
  /** The sandboxes that are being opened, with the size of their files in bytes. */
  readonly #loading = new Map<string, number>()

  constructor(registry: OpenSandboxes, options: Pick<SandboxDependencies, 'database' | 'shared'>) {
    this.#registry = registry
    this.#options = options
  }

  /**
   * Opens a sandbox. While too many durable sandboxes are open, or the memory is too small, the limiter first closes
   * the sandbox that was idle longest. Rejects when no other sandbox is idle.
   */
  async open<T>({ id, storage }: Sandbox, open: () => Promise<T>): Promise<T> {
    if (storage === 'memory') return open()
    this.#loading.set(id, 0)
    try {
      const { maxOpen } = this.#options.shared.limits
      while (this.#listDurable().length + this.#loading.size > maxOpen)
        if (!(await this.#closeIdle())) throw createOpenSandboxLimitError(maxOpen)
      await this.requireFit(id, id)
      return await open().catch(async (error: unknown) => {
        if (!isOutOfFiles(error)) throw error
        await this.#closeIdle()
        throw createOpenSandboxLimitError(this.#listDurable().length)
      })
    } finally {
      this.#loading.delete(id)
    }
  }

  /** Rejects unless the contents of a file fit into the memory, after closing idle sandboxes if necessary. */
  async requireFit(sandbox: string, file: string): Promise<void> {
    const { database, shared } = this.#options
    const bytes = (await database.files?.sizeOf(file)) ?? 0
    const others = () =>
      [...this.#loading].reduce((sum, [id, size]) => (id === sandbox ? sum : sum + size), 0)
    if (this.#loading.has(sandbox)) this.#loading.set(sandbox, bytes)
    while (!shared.memory.hasRoomFor(bytes + others()))
      if (!(await this.#closeIdle())) throw createSandboxTooLargeError(sandbox, bytes)
  }

  async #closeIdle(): Promise<boolean> {
    const idle = this.#listDurable().filter(({ requests, jobs }) => !requests.areRunning() && jobs.isIdle())
    const [longest] = idle.toSorted((a, b) => a.requests.lastUse - b.requests.lastUse)
    if (longest !== undefined) await this.#registry.sleep(longest.id)
    return longest !== undefined
  }

  #listDurable(): OpenSandbox[] {
    return [...this.#registry.allOpen()].filter(({ isDurable }) => isDurable)
  }
}

function isOutOfFiles(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE')
}
