/** The number of requests of all sandboxes since the start of the process. */
let uses = 0

/** Counts the running requests of a sandbox, which must end before its store is closed. */
export class RunningRequestCounter {
  #running = 0
  #drained: PromiseWithResolvers<void> | null = null
  /** The number of the last request, in a sequence over the requests of all sandboxes. */
  lastUse = 0

  enter(): void {
    this.#running += 1
    uses += 1
    this.lastUse = uses
  }

  leave(): void {
    this.#running -= 1
    if (this.#running === 0) this.#drained?.resolve()
  }

  /** Runs work that counts as a request. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.enter()
    try {
      return await work()
    } finally {
      this.leave()
    }
  }

  areRunning(): boolean {
    return this.#running > 0
  }

  /** Resolves when no request is running. */
  async drained(): Promise<void> {
    if (this.#running === 0) return
    this.#drained ??= Promise.withResolvers()
    await this.#drained.promise
  }
}
