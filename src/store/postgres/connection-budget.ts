/** The SQLSTATE code for a reached connection limit of PostgreSQL, a role or a database. */
const TOO_MANY_CONNECTIONS = '53300'
const PAUSE_MS = 100
const MAX_PAUSES = 20
/** Number of queries after which a reduced pool tries one more connection. */
const QUERIES_PER_GROWTH = 500

/** A connection pool whose `max` can be changed while it is in use. */
export interface ResizablePool {
  readonly options: { max: number }
  readonly totalCount: number
  readonly connect: () => Promise<{ readonly release: (isDestroyed: boolean) => void }>
}

/** Adapts a connection pool to a PostgreSQL server that allows fewer connections than the maximum of the pool. */
export type ConnectionBudget = ReturnType<typeof createConnectionBudget>

/** Creates the budget of a pool of up to `max` connections; `pause` waits for a number of milliseconds. */
export function createConnectionBudget(
  pool: ResizablePool,
  max: number,
  pause: (ms: number) => Promise<unknown> = async () => {},
) {
  let queries = 0

  /** Retries immediately up to `immediate` times, then up to 20 times after pauses. */
  async function retryWhenFull<T>(
    attempt: () => Promise<T>,
    makeRoom: () => Promise<void>,
    immediate: number,
  ): Promise<T> {
    for (let failures = 0; ; failures += 1) {
      try {
        return await attempt()
      } catch (error) {
        if (!isTooManyConnections(error) || failures === immediate + MAX_PAUSES) throw error
        await makeRoom()
      }
      if (failures >= immediate) await pause(PAUSE_MS)
    }
  }

  function grow(): void {
    queries += 1
    if (pool.options.max === max || queries % QUERIES_PER_GROWTH !== 0) return
    pool.options.max += 1
  }

  return {
    /** Runs a query on the pool; waits for a connection of the pool when PostgreSQL allows no more. */
    runQuery: <T>(query: () => Promise<T>) =>
      retryWhenFull(
        () => {
          grow()
          return query()
        },
        // The reduced pool queues the first retry. If this retry fails, another process must close a connection first.
        async () => {
          pool.options.max = Math.max(1, Math.min(pool.options.max, pool.totalCount))
        },
        1,
      ),
    /** Opens a connection outside the pool; if necessary, the pool closes one of its connections first. */
    openConnection: <T>(connect: () => Promise<T>) =>
      retryWhenFull(
        connect,
        async () => {
          if (pool.totalCount <= 1) return
          pool.options.max = Math.max(1, pool.totalCount - 1)
          const spare = await pool.connect()
          spare.release(true)
        },
        // Do not retry immediately: PostgreSQL still counts a closed connection for a short time.
        0,
      ),
    /** Returns a warning with the number of allowed connections when they are too few, or null. */
    connectionShortage: () =>
      pool.options.max === max
        ? null
        : `PostgreSQL allows this server only ${pool.options.max} of ${max} connections for reads, so requests wait for each other. Raise the connection limit of the role, or max_connections.`,
  }
}

function isTooManyConnections(error: unknown): boolean {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error && 'code' in cause && cause.code === TOO_MANY_CONNECTIONS
}
