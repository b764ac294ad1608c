import type { Stats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { DomainError } from '../../domain/domain-error.ts'
import { isDiskFull } from '../disk/disk-full.ts'
import { PRIVATE_FILE_MODE, syncFolder, writeFully } from '../disk/private-file.ts'
import { cutBack, openJournalFile, startNextJournal } from './journal-files.ts'
import { encodeLine } from './journal-lines.ts'
import type { Pause } from './snapshot-writer.ts'

/** Where a journal goes on: after what recovery found. */
export interface JournalPosition {
  readonly generation: number
  /** Length of the intact part of the file, in bytes. */
  readonly offset: number
  /** Number of the last transaction that is on disk. */
  readonly transaction: number
}

interface Batch {
  readonly operations: string[]
  readonly first: number
  last: number
  readonly undos: (() => void)[]
  readonly done: PromiseWithResolvers<void>
}

export interface JournalOptions {
  /** Hears of a disk that failed in another way than by being full. */
  readonly onBroken: (error: unknown) => void
  readonly pause: Pause
}

/** The path of one generation of a database's journal. */
export function journalFile(database: string, generation: number): string {
  return `${database}.journal-${generation}`
}

/**
 * The append-only log of transactions. Those that come in while a write is under way share the next one, which is on
 * disk when it returns (O_DSYNC).
 */
export class Journal {
  readonly #database: string
  readonly #onBroken: (error: unknown) => void
  readonly #pause: Pause
  #handle: FileHandle
  #generation: number
  #offset: number
  #durable: number
  #last: number
  #waiting: Batch | null = null
  #running: Promise<void> | null = null
  #flying: Batch | null = null
  #rotation: PromiseWithResolvers<number> | null = null
  #failure: DomainError | null = null
  #isShared = true
  #undone = 0

  private constructor(
    database: string,
    handle: FileHandle,
    { position, onBroken, pause }: JournalOptions & { readonly position: JournalPosition },
  ) {
    this.#database = database
    this.#handle = handle
    this.#onBroken = onBroken
    this.#pause = pause
    this.#generation = position.generation
    this.#offset = position.offset
    this.#durable = position.transaction
    this.#last = position.transaction
  }

  /** Opens or makes the journal file. */
  static async open(database: string, position: JournalPosition, options: JournalOptions): Promise<Journal> {
    const handle = await openJournalFile(journalFile(database, position.generation), 0)
    try {
      await handle.chmod(PRIVATE_FILE_MODE)
      await cutBack(handle, position.offset)
      await syncFolder(database)
    } catch (error) {
      await handle.close()
      throw error
    }
    return new Journal(database, handle, { ...options, position })
  }

  /** Number of the last transaction that would survive a crash. */
  get durableTransaction(): number {
    return this.#durable
  }

  /** Number of the last transaction that was taken in. */
  get lastTransaction(): number {
    return this.#last
  }

  get generation(): number {
    return this.#generation
  }

  /** How often transactions were taken back. */
  get undoneCount(): number {
    return this.#undone
  }

  /** Whether the disk failed or the files are lost, so that nothing may be written any more. */
  get isBroken(): boolean {
    return this.#failure !== null
  }

  /** Why nothing may be written any more, or null. */
  get failure(): DomainError | null {
    return this.#failure
  }

  /** Bytes in the current file. */
  get size(): number {
    return this.#offset
  }

  /** Takes a transaction in; resolves when it is on disk, rejects after `undo` when it cannot be. */
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

  /** Resolves when a transaction that was taken in is on disk; rejects when it was taken back. */
  settled(transaction: number): Promise<void> {
    if (transaction <= this.#durable) return Promise.resolve()
    const batch = [this.#flying, this.#waiting].find((one) => one !== null && one.last >= transaction)
    return batch?.done.promise ?? Promise.resolve()
  }

  /**
   * Goes on in the file of the next generation at the next batch boundary; resolves with the last transaction before,
   * rejects when it cannot and goes on where it was.
   */
  rotate(): Promise<number> {
    if (this.#failure !== null) return Promise.reject(this.#failure)
    this.#rotation ??= Promise.withResolvers<number>()
    this.#running ??= this.#run()
    return this.#rotation.promise
  }

  /** Rejects every transaction from now on; one that is being written right now is still finished. */
  halt(failure: DomainError): void {
    this.#failure ??= failure
  }

  /** What the file system says of the open file, whatever lies at its path. */
  stat(): Promise<Stats> {
    return this.#handle.stat()
  }

  /** Resolves when all that was taken in is on disk and the file is closed. */
  async close(): Promise<void> {
    await this.#running
    await this.#handle.close()
  }

  #startBatch(first: number): Batch {
    const done = Promise.withResolvers<void>()
    // Whoever waits sees the rejection; a batch nobody waits for must not end the process.
    done.promise.catch(() => undefined)
    this.#waiting = { operations: [], first, last: first, undos: [], done }
    return this.#waiting
  }

  async #run(): Promise<void> {
    // Ten requests that come at once shall cost one sync, not two; whoever was alone the last time need not wait.
    await (this.#isShared ? this.#pause() : undefined)
    while (this.#failure === null && (this.#waiting !== null || this.#rotation !== null)) {
      if (this.#rotation !== null) await this.#turnOver(this.#rotation)
      else await this.#writeBatch()
    }
    if (this.#failure !== null) this.#refuseWaiting(this.#failure)
    this.#running = null
  }

  async #writeBatch(): Promise<void> {
    const batch = this.#waiting
    if (batch === null) return
    this.#flying = batch
    this.#waiting = null
    this.#isShared = batch.last > batch.first
    try {
      const bytes = Buffer.from(this.#encode(batch))
      await writeFully(this.#handle, bytes, this.#offset)
      this.#offset += bytes.length
      this.#durable = batch.last
      batch.done.resolve()
    } catch (error) {
      await this.#takeBack(batch, error)
    }
    this.#flying = null
  }

  // Lines are made when they are written, because their checksum depends on the file they go to.
  #encode({ operations, first }: Batch): string {
    const generation = this.#generation
    return operations
      .map((one, index) => encodeLine(one, { transaction: first + index, batch: first, generation }))
      .join('')
  }

  async #takeBack(batch: Batch, error: unknown): Promise<void> {
    const taken = this.#waiting === null ? [batch] : [batch, this.#waiting]
    // What came in meanwhile was decided on what is undone now, so it goes too: newest first.
    for (const undo of taken.flatMap((one) => one.undos).reverse()) undo()
    this.#undone += 1
    this.#flying = null
    this.#waiting = null
    this.#last = this.#durable
    const refusal = await this.#refusalOf(error)
    for (const one of taken) one.done.reject(refusal)
  }

  // Those who came while the file could not be cut back, and whoever wants another file.
  #refuseWaiting(failure: DomainError): void {
    this.#rotation?.reject(failure)
    this.#rotation = null
    const batch = this.#waiting
    if (batch === null) return
    this.#waiting = null
    for (const undo of batch.undos.reverse()) undo()
    this.#undone += 1
    this.#last = this.#durable
    batch.done.reject(failure)
  }

  // After a full disk the file is cut back to its intact part and the next write tries again. After any other failure
  // nobody knows what is on disk, so nothing may be written any more.
  async #refusalOf(error: unknown): Promise<DomainError> {
    try {
      if (isDiskFull(error)) {
        await cutBack(this.#handle, this.#offset)
        return new DomainError(
          'storage_full',
          'The disk is full, so nothing was stored. Reading still works; free some space and send the request again.',
          { retryAfterSeconds: 1 },
        )
      }
    } catch (truncating) {
      return this.#break(truncating)
    }
    return this.#break(error)
  }

  #break(error: unknown): DomainError {
    const failure = diskFailed()
    this.#failure = failure
    this.#onBroken(error)
    return failure
  }

  async #turnOver(rotation: PromiseWithResolvers<number>): Promise<void> {
    this.#rotation = null
    try {
      const next = this.#generation + 1
      const full = this.#handle
      const file = journalFile(this.#database, next)
      const onBroken = (error: unknown) => this.#break(error)
      this.#handle = await startNextJournal({ handle: full, offset: this.#offset }, file, onBroken)
      this.#generation = next
      this.#offset = 0
      // All in it is on disk, so a failure to close it loses nothing.
      await full.close().catch(() => undefined)
      rotation.resolve(this.#durable)
    } catch (error) {
      rotation.reject(error)
    }
  }
}

function diskFailed(): DomainError {
  return new DomainError(
    'unavailable',
    'The disk failed, so paycli is stopping: whether this request was stored is unknown. Look it up once the service is back, before sending it again.',
  )
}
