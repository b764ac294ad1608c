import { StartupProblem } from '../../domain/startup-problem.ts'

/** Sends one statement on a connection and resolves with its rows. */
export type Query = (text: string) => Promise<readonly Readonly<Record<string, unknown>>[]>

const SETTING = 'paycli.session'
/** A pooler that serves others meanwhile may give a connection its former session by chance. */
const ROUNDS = 4

/**
 * Refuses a pooler in transaction or statement mode, where two open connections share sessions of the server: settings
 * would be lost and LISTEN would hear nothing. Gives each connection a setting of its own and looks whether it keeps it,
 * alone and while the other one is in a transaction.
 */
export async function requireOwnSessions(first: Query, second: Query): Promise<void> {
  await first(`SELECT set_config('${SETTING}', 'first', false)`)
  await second(`SELECT set_config('${SETTING}', 'second', false)`)
  for (let round = 0; round < ROUNDS; round += 1) {
    // A pooler with a single session would keep the first one waiting for as long as the second one is in a transaction.
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

async function requireSetting(query: Query, expected: string): Promise<void> {
  const [row] = await query(`SELECT current_setting('${SETTING}', true) AS value`)
  if (row?.['value'] === expected) return
  throw new StartupProblem(
    'database_pooler_unsupported',
    'The database URL leads to a connection pooler in transaction mode: it gives the session of a connection to others between two transactions, so notifications and settings are lost. Use the address of PostgreSQL itself, or set the pooler to session mode (pool_mode = session in PgBouncer).',
  )
}
