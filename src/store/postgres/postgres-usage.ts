import { estimateJsonBytes } from '../../domain/text/json-bytes.ts'
import type { StoreUsage, Write } from '../port/store.ts'
import type { RunQuery } from './postgres-connection.ts'

/**
 * Creates the count of the size of a sandbox: the last measurement (0 before the first measurement) plus the later
 * writes of this process. An exact count in each commit would need the old states of its records.
 */
export function createUsageCounter(query: RunQuery) {
  let counted: StoreUsage = { records: 0, bytes: 0 }
  let added: StoreUsage = { records: 0, bytes: 0 }
  let isChanged = true
  return {
    usage: (): StoreUsage => ({
      records: counted.records + added.records,
      bytes: counted.bytes + added.bytes,
    }),
    /** Adds the writes of a commit of this process. A stored record counts as a new record until the next measurement. */
    add(writes: readonly Write[]): void {
      isChanged = true
      let { records, bytes } = added
      for (const write of writes) {
        records += 'put' in write ? 1 : -1
        if ('put' in write) bytes += estimateJsonBytes(write.put)
      }
      added = { records, bytes }
    },
    /** Marks the count as outdated after a commit of another process. */
    markOutdated(): void {
      isChanged = true
    },
    /** Counts the rows, unless no commit followed the last measurement. */
    async measure(): Promise<void> {
      if (!isChanged) return
      isChanged = false
      const before = added
      try {
        const [row] = await query(
          `SELECT count(*)::float8 AS records, coalesce(sum(pg_column_size(record)), 0)::float8 AS bytes
           FROM records WHERE sandbox = $1`,
          [],
        )
        counted = { records: Number(row?.['records']), bytes: Number(row?.['bytes']) }
        // Commits during the query may be counted twice until the next measurement.
        added = { records: added.records - before.records, bytes: added.bytes - before.bytes }
      } catch (error) {
        isChanged = true
        throw error
      }
    },
  }
}
