/** What a server answers that gives no more connections: to anybody, to a role or to a database. */
const TOO_MANY = '53300'
const PAUSE_MS = 100
const MAX_PAUSES = 20
/** After so many queries a pool that was made smaller tries one more connection. */
const QUERIES_PER_TRY = 500

/** The part of a pool that matters here; its `max` can be changed while it is used. */
export interface Resizable {
  readonly options: { max: number }
  readonly totalCount: number
  readonly connect: () => Promise<{ readonly release: (isDestroyed: boolean) => void }>
}

/** Shares out the connections that a server gives, when it gives fewer than are wanted. */
export interface Room {
  /** Sends a query through the pool; waits for one of its connections while the server gives no more. */
  readonly forQuery: <T>(query: () => Promise<T>) => Promise<T>
  /** Opens a connection beside the pool, which gives one of its own up for it if need be. */
  readonly forConnection: <T>(connect: () => Promise<T>) => Promise<T>
  /** Says that the server gives too few connections, and how many it gives; null while it gives enough. */
  readonly shortage: () => string | null
}

/** Makes room in a pool of at most `most` connections for as many as the server gives; `pause` waits for milliseconds. */
export function createRoom(
  pool: Resizable,
  most: number,
  pause: (ms: number) => Promise<unknown> = async () => {},
): Room {
  let queries = 0

  async function retrying<T>(attempt: () => Promise<T>, onFull: () => Promise<void>): Promise<T> {
    for (let pauses = 0; ; pauses += 1) {
      try {
        return await attempt()
      } catch (error) {
        if (!isTooMany(error) || pauses === MAX_PAUSES) throw error
        await onFull()
      }
    }
  }

  function grow(): void {
    queries += 1
    if (pool.options.max === most || queries % QUERIES_PER_TRY !== 0) return
    pool.options.max += 1
  }

  return {
    forQuery: (query) =>
      retrying(
        () => {
          grow()
          return query()
        },
        async () => {
          // With a connection of its own it waits for its turn; without one only others can give it any.
          pool.options.max = Math.max(1, Math.min(pool.options.max, pool.totalCount))
          if (pool.totalCount === 0) await pause(PAUSE_MS)
        },
      ),
    forConnection: (connect) =>
      retrying(connect, async () => {
        if (pool.totalCount > 1) {
          pool.options.max = Math.max(1, pool.totalCount - 1)
          const spare = await pool.connect()
          spare.release(true)
        }
        // The server counts a connection for a moment after its end.
        await pause(PAUSE_MS)
      }),
    shortage: () =>
      pool.options.max === most
        ? null
        : `The server gives this service ${pool.options.max} connection${pool.options.max === 1 ? '' : 's'} for reading, of ${most}, so requests wait for each other. Raise the connection limit of its role, or max_connections.`,
  }
}

function isTooMany(error: unknown): boolean {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error && 'code' in cause && cause.code === TOO_MANY
}
