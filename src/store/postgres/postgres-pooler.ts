import { StartupError } from '../../domain/core/startup-error.ts'

/** Runs one statement on a connection and returns its rows. */
export type RunStatement = (text: string) => Promise<readonly Readonly<Record<string, unknown>>[]>

const SETTING = 'paycli.session'
/** Number of rounds; one round is not enough, because a pooler may assign the same session again by chance. */
const ROUNDS = 4

/**
 * Throws when a pooler in transaction or statement mode shares server sessions between connections, because settings
 * and notifications would be lost. Sets a different value on each connection and checks that both values persist, even
 * while the other connection is in a transaction.
 */
export async function requireDedicatedSessions(first: RunStatement, second: RunStatement): Promise<void> {
  await first(`SELECT set_config('${SETTING}', 'first', false)`)
  await second(`SELECT set_config('${SETTING}', 'second', false)`)
  for (let round = 0; round < ROUNDS; round += 1) {
    // Check before BEGIN, because a pooler with a single session would block the first connection until ROLLBACK.
    await requireSetting(first, 'first')
    await second('BEGIN')
    try {
      await requireSetting(second, 'second')
      await requireSetting(first, 'first')
    } finally {
      await second('ROLLBACK')
    }
  }
}

async function requireSetting(query: RunStatement, expected: string): Promise<void> {
  const [row] = await query(`SELECT current_setting('${SETTING}', true) AS value`)
  if (row?.['value'] === expected) return
  throw new StartupError(
    'database_pooler_unsupported',
    'The database URL points to a connection pooler in transaction mode, which shares sessions between connections, so notifications and settings are lost. Use the address of the PostgreSQL server, or set the pooler to session mode (pool_mode = session in PgBouncer).',
  )
}
