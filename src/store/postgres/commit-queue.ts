import { DomainError } from '../../domain/domain-error.ts'
import type { Commit, Committed, Reader } from '../port/store.ts'
import { type Batch, beginBatch, type Job, type Site } from './postgres-batch.ts'
import { type Connection, isCollision, type Postgres } from './postgres-connection.ts'

/** How many transactions share one commit; then the other processes have their turn. */
const TRANSACTIONS_PER_COMMIT = 64
const MAX_TRIES = 5

/** The transactions of this process. */
export interface Turns {
  /** Runs a transaction when its turn has come; resolves when it is stored. */
  readonly take: <R>(work: (reader: Reader) => Promise<Commit<R>>) => Promise<Committed<R>>
  /** Resolves when nothing waits any more and the connection is closed. */
  readonly end: () => Promise<void>
}

/**
 * Takes transactions one after the other, as many as wait in one commit. All processes at the database take turns: what
 * runs alone cannot collide with others, and gets the next numbers of the one sequence without a gap. What is slow about
 * a transaction, waiting for the disk, is shared by all that wait. `onStored` is called before those are told.
 */
export function createTurns(postgres: Postgres, site: Site, onStored: () => void): Turns {
  const waiting: Waiting[] = []
  let connection: Connection | null = null
  let running: Promise<void> | null = null

  async function connected(): Promise<Connection> {
    if (connection?.isOpen()) return connection
    await connection?.end()
    connection = await postgres.connect()
    return connection
  }

  async function runAll(): Promise<void> {
    while (waiting.length > 0) await runBatch()
    running = null
  }

  async function runBatch(): Promise<void> {
    const taken: Waiting[] = []
    try {
      const own = await connected()
      await runSome(await beginBatch(own, site, onStored), taken)
    } catch (error) {
      await connection?.run('ROLLBACK').catch(() => connection?.end())
      // When it could not even begin, that is the same for all.
      failed(taken.length > 0 ? taken : waiting.splice(0), error)
    }
  }

  async function runSome(batch: Batch, taken: Waiting[]): Promise<void> {
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
      taken.push(job)
      const isStored = await batch.add(job)
      // Whoever is refused should know before the next one, which may come of the same mind.
      if (!isStored || taken.length === TRANSACTIONS_PER_COMMIT) break
      // One that something went wrong with shares its commit with no other, so that only what is wrong fails.
      if (job.tries > 0 || (waiting[0]?.tries ?? 0) > 0) break
    }
    await batch.commit()
  }

  function failed(jobs: readonly Waiting[], error: unknown): void {
    const again = jobs.filter((job) => {
      job.tries += 1
      const isWorthIt = isCollision(error) || (jobs.length > 1 && !(error instanceof DomainError))
      return isWorthIt && job.tries < MAX_TRIES
    })
    for (const job of jobs) if (!again.includes(job)) job.reject(error)
    waiting.unshift(...again)
  }

  return {
    take<R>(work: (reader: Reader) => Promise<Commit<R>>) {
      return new Promise<Committed<R>>((resolve, reject) => {
        waiting.push({ work, resolve: resolve as Job['resolve'], reject, tries: 0 })
        running ??= runAll()
      })
    },
    async end() {
      await running
      await connection?.end()
    },
  }
}

interface Waiting extends Job {
  tries: number
}
