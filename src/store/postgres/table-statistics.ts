import type { RunQuery } from './postgres-connection.ts'

/** Numbers of commits after which a new table has grown so much that its statistics are outdated. */
const COMMITS_BEFORE_ANALYSIS: readonly number[] = [50, 500, 5000]

const IS_OUTDATED = `SELECT pg_relation_size(oid) > 0 AND (reltuples < 0 OR n_mod_since_analyze > reltuples) AS outdated
  FROM pg_class JOIN pg_stat_user_tables ON relid = oid WHERE oid = to_regclass('records')`

/**
 * Lets PostgreSQL analyze the records unless it has statistics of most records. Without statistics, the planner finds a
 * record by the index on `place` and reads every record of its kind. Autovacuum analyzes a new table only after a
 * minute or more.
 */
export async function analyzeNewRecords(query: RunQuery): Promise<void> {
  const [table] = await query(IS_OUTDATED, [])
  if (table?.['outdated'] === true) await query('ANALYZE records', [])
}

/** Creates a function to call after each commit, which lets PostgreSQL analyze a new table while it grows. */
export function createFirstAnalysisTrigger(query: RunQuery): () => void {
  let commits = 0
  return () => {
    commits += 1
    // A failed analysis only costs time, because autovacuum repeats it.
    if (COMMITS_BEFORE_ANALYSIS.includes(commits)) analyzeNewRecords(query).catch(() => {})
  }
}
