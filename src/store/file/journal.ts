import type { Stats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { DomainError } from '../../domain/core/domain-error.ts'
import { createDiskFullError, isDiskFullError } from '../disk/disk-full.ts'
import { PRIVATE_FILE_MODE, syncParentFolder, writeFully } from '../disk/private-file.ts'
import type { YieldToEventLoop } from '../memory/slices.ts'
import { openJournalFile, startNextJournal, truncateJournal } from './journal-files.ts'
import { encodeLine } from './journal-lines.ts'

/** The end of the intact journal, where new transactions are appended. */
export interface JournalPosition {
  readonly generation: number
  /** Length of the intact part of the file in bytes. */
  readonly offset: number
  /** Number of the last durable transaction. */
  readonly transaction: number
}

interface JournalBatch {
  readonly operations: string[]
  readonly first: number
  last: number
  readonly undos: (() => void)[]
  readonly done: PromiseWithResolvers<void>
}

export interface JournalOptions {
  /** Called when a write fails for a reason other than a full disk; writes are disabled from then on. */
  readonly onBroken: (error: unknown) => void
  readonly yieldToEventLoop: YieldToEventLoop
}

/** Returns the path of a database's journal file. */
export function getJournalPath(database: string, generation: number): string {
  return `${database}.journal-${generation}`
}

/**
 * The write-ahead journal: an append-only log of transactions. Transactions that arrive during a write are written
 * together by the next write. A write is durable when it returns (O_DSYNC).
 */
export class Journal {
  readonly #database: string
  readonly #onBroken: (error: unknown) => void
  readonly #yieldToEventLoop: YieldToEventLoop
  #handle: FileHandle
  #position: JournalPosition
  #last: number
  #waiting: JournalBatch | null = null
  #running: Promise<void> | null = null
  #inFlight: JournalBatch | null = null
  #rotation: PromiseWithResolvers<number> | null = null
  #failure: DomainError | null = null
  #isShared = true
  #undoCount = 0

  private constructor(
    database: string,
    handle: FileHandle,
    { position, onBroken, yieldToEventLoop }: JournalOptions & { readonly position: JournalPosition },
  ) {
    this.#database = database
    this.#handle = handle
    this.#onBroken = onBroken
    this.#yieldToEventLoop = yieldToEventLoop
    this.#position = position
    this.#last = position.transaction
  }

  /** Opens or creates the journal file and truncates it to its intact part. */
  static async open(database: string, position: JournalPosition, options: JournalOptions): Promise<Journal> {
    const handle = await openJournalFile(getJournalPath(database, position.generation), 0)
    try {
      await handle.chmod(PRIVATE_FILE_MODE)
      await truncateJournal(handle, position.offset)
      await syncParentFolder(database)
    } catch (error) {
      await handle.close()
      throw error
    }
    return new Journal(database, handle, { ...options, position })
  }

  /** The end of the durable part of the current file. */
  get position(): JournalPosition {
    return this.#position
  }

  /** Number of the last appended transaction. */
  get lastTransaction(): number {
    return this.#last
  }

  /** Number of times that transactions were undone. */
  get undoCount(): number {
    return this.#undoCount
  }

  /** The error of every write once writes are disabled, or null. */
  get failure(): DomainError | null {
    return this.#failure
  }

  /** Appends a transaction; resolves when it is durable, or calls `undo` and rejects. */
  append(operations: string, undo: () => void): Promise<void> {
    if (this.#failure !== null) {
      undo()
      return Promise.reject(this.#failure)
    }
    this.#last += 1
    const batch = this.#waiting ?? this.#startBatch(this.#last)
    batch.operations.push(operations)
    batch.last = this.#last
    batch.undos.push(undo)
    this.#running ??= this.#run()
    return batch.done.promise
  }

  /** Resolves when an appended transaction is durable; rejects when it was undone. */
  waitUntilSettled(transaction: number): Promise<void> {
    if (transaction <= this.#position.transaction) return Promise.resolve()
    const batch = [this.#inFlight, this.#waiting].find((one) => one !== null && one.last >= transaction)
    return batch?.done.promise ?? Promise.resolve()
  }

  /**
   * Switches to the file of the next generation after the current batch; resolves with the number of the last
   * transaction before the switch. After a rejection the journal continues in the old file.
   */
  rotate(): Promise<number> {
    if (this.#failure !== null) return Promise.reject(this.#failure)
    this.#rotation ??= Promise.withResolvers<number>()
    this.#running ??= this.#run()
    return this.#rotation.promise
  }

  /** Rejects every transaction from now on, but completes the running write. */
  halt(failure: DomainError): void {
    this.#failure ??= failure
  }

  /** Returns the status of the open file, which may differ from the file at its path. */
  stat(): Promise<Stats> {
    return this.#handle.stat()
  }

  /** Waits until each appended transaction is durable or undone, and closes the file. */
  async close(): Promise<void> {
    await this.#running
    await this.#handle.close()
  }

  #startBatch(first: number): JournalBatch {
    const done = Promise.withResolvers<void>()
    // Avoids an unhandled rejection when no caller awaits the batch.
    done.promise.catch(() => undefined)
    this.#waiting = { operations: [], first, last: first, undos: [], done }
    return this.#waiting
  }

  async #run(): Promise<void> {
    // Under concurrent load, waiting one turn of the event loop lets simultaneous transactions share a single write.
    await (this.#isShared ? this.#yieldToEventLoop() : undefined)
    while (this.#failure === null && (this.#waiting !== null || this.#rotation !== null)) {
      if (this.#rotation !== null) await this.#switchFile(this.#rotation)
      else await this.#writeBatch()
    }
    if (this.#failure !== null) this.#rejectAll(this.#failure)
    this.#running = null
  }

  async #writeBatch(): Promise<void> {
    const batch = this.#waiting
    if (batch === null) return
    this.#inFlight = batch
    this.#waiting = null
    this.#isShared = batch.last > batch.first
    try {
      const bytes = Buffer.from(this.#encode(batch))
      await writeFully(this.#handle, bytes, this.#position.offset)
      const offset = this.#position.offset + bytes.length
      this.#position = { ...this.#position, offset, transaction: batch.last }
      this.#inFlight = null
      batch.done.resolve()
    } catch (error) {
      this.#rejectAll(await this.#toDomainError(error))
    }
  }

  // Lines are encoded at the time of the write, because the checksum depends on the generation of the file.
  #encode({ operations, first }: JournalBatch): string {
    const { generation } = this.#position
    return operations
      .map((one, index) => encodeLine(one, { transaction: first + index, batch: first, generation }))
      .join('')
  }

  // Transactions that arrived during a failed write may depend on its transactions, so undo all of them, newest first.
  #rejectAll(failure: DomainError): void {
    const failed = [this.#inFlight, this.#waiting].filter((batch) => batch !== null)
    this.#inFlight = null
    this.#waiting = null
    for (const undo of failed.flatMap(({ undos }) => undos).reverse()) undo()
    if (failed.length > 0) this.#undoCount += 1
    this.#last = this.#position.transaction
    for (const { done } of failed) done.reject(failure)
    if (this.#failure === null) return
    this.#rotation?.reject(failure)
    this.#rotation = null
  }

  // When the disk is full, the file is truncated to its intact part and later writes are possible. After any other failure
  // the contents of the file are unknown, so writes stay disabled.
  async #toDomainError(error: unknown): Promise<DomainError> {
    try {
      if (isDiskFullError(error)) {
        await truncateJournal(this.#handle, this.#position.offset)
        return createDiskFullError()
      }
    } catch (truncateError) {
      return this.#break(truncateError)
    }
    return this.#break(error)
  }

  #break(error: unknown): DomainError {
    const failure = createDiskFailedError()
    this.#failure = failure
    this.#onBroken(error)
    return failure
  }

  async #switchFile(rotation: PromiseWithResolvers<number>): Promise<void> {
    this.#rotation = null
    try {
      const { generation, offset, transaction } = this.#position
      const old = this.#handle
      const file = getJournalPath(this.#database, generation + 1)
      const onBroken = (error: unknown) => this.#break(error)
      this.#handle = await startNextJournal(old, offset, file, onBroken)
      this.#position = { generation: generation + 1, offset: 0, transaction }
      // Ignore a failed close, which loses nothing because the old file is durable.
      await old.close().catch(() => undefined)
      rotation.resolve(transaction)
    } catch (error) {
      rotation.reject(error)
    }
  }
}

function createDiskFailedError(): DomainError {
  return new DomainError(
    'unavailable',
    'The disk failed and the server is stopping, so it is unknown whether this request was stored. After a restart, check the result before you send it again.',
  )
}
