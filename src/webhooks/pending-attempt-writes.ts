const MAX_UNRECORDED = 64

/** The attempts of one endpoint that are being written to the store. */
export class PendingAttemptWrites {
  #writes: Promise<unknown>[] = []
  #hasFailed = false

  add(write: Promise<unknown>): void {
    this.#writes.push(write)
    write.catch(() => {
      this.#hasFailed = true
    })
  }

  /** Resolves when fewer than 64 writes are pending; rejects when one has failed. */
  async waitForCapacity(): Promise<void> {
    if (this.#hasFailed || this.#writes.length >= MAX_UNRECORDED) await this.flush()
  }

  /** Waits for all pending writes and returns whether there were any; rejects when one has failed. */
  async flush(): Promise<boolean> {
    const all = this.#writes
    this.#writes = []
    await Promise.all(all)
    return all.length > 0
  }
}
