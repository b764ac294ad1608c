import type { RunQuery } from './postgres-connection.ts'

/** Number of commits after which a new table has enough records for statistics. */
const COMMITS_BEFORE_ANALYSIS = 50

const IS_MISSING = `SELECT reltuples < 0 AND pg_relation_size(oid) > 0 AS missing FROM pg_class
  WHERE oid = to_regclass('records')`

/**
 * Lets PostgreSQL analyze the records unless it did so before. Without statistics, the planner finds a record by the index of
 * places and reads every record of its kind. Autovacuum analyzes a new table only after a minute or more.
 */
export async function analyzeNewRecords(query: RunQuery): Promise<void> {
  const [table] = await query(IS_MISSING, [])
  if (table?.['missing'] === true) await query('ANALYZE records', [])
}

/** Creates a function to call after each commit, which lets PostgreSQL analyze a new table once it has records. */
export function createFirstAnalysis(query: RunQuery): () => void {
  let commits = 0
  return () => {
    commits += 1
    // A failed analysis costs only time until autovacuum repeats it.
    if (commits === COMMITS_BEFORE_ANALYSIS) analyzeNewRecords(query).catch(() => {})
  }
}
