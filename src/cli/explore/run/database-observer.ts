import { isJsonObject, parseJson } from '../../../domain/core/json-object.ts'
import { type DatabaseRow, readAppDatabase, requireDatabaseAddress } from '../../databases/app-database.ts'
import { UsageError } from '../../errors/usage-error.ts'
import { isUnixTime } from '../compare/normalise-text.ts'
import type { StateSource } from './state-watch.ts'

/** Tables in which apps store received events to recognize duplicates. */
const RECEIVED_NAME = /event|hook|deliver|inbox|message|dedup|processed|seen/i
const EVENT_ID = /^evt_\w+$/

/** Returns the observation of an app: by a shell command or a function, by its database, or by both. */
export function createObservation(observe: StateSource, database: string | null) {
  if (database === null) return { observe }
  if (typeof observe === 'string') {
    const hint =
      'Omit one of the two flags. The database contains more values, and a command can print selected values.'
    throw new UsageError('flag_invalid', '--observe and --database cannot both be set.', {
      ...{ param: 'database', hint },
    })
  }
  requireDatabaseAddress(database)
  const tables = createDatabaseObserver(database)
  if (observe === null) return tables
  return {
    ...tables,
    observe: async () => `{"responses":${await observe()},"tables":${await tables.observe()}}`,
  }
}

/** Observes the rows that a run adds, changes and deletes, because all runs share the database. */
export function createDatabaseObserver(database: string) {
  let before: Awaited<ReturnType<typeof readSnapshot>> = new Map()
  return {
    /** Reads the rows that exist before the scenario. */
    async begin(): Promise<void> {
      before = await readSnapshot(database).catch((error: unknown) => {
        // A missing database is not an error: some apps create the database with the first request.
        if (error instanceof UsageError && error.code === 'database_missing') return new Map()
        throw error
      })
    },
    /** Returns the rows that have changed since the first snapshot, by table as JSON. */
    async observe(): Promise<string> {
      const after = await readSnapshot(database)
      const changes = [...after].flatMap(([name, { key, rows }]) => {
        const changed = listChanges(before.get(name)?.rows ?? [], rows, key)
        return changed.length === 0 ? [] : [[name, toReceivedEvents(name, changed) ?? changed]]
      })
      return JSON.stringify(Object.fromEntries(changes))
    },
  }
}

/** Reads the rows of each table, by the name of the table. */
function readSnapshot(database: string) {
  return readAppDatabase(database, async ({ listTables, readTable }) => {
    const snapshot = new Map<string, { key: readonly string[]; rows: readonly DatabaseRow[] }>()
    for (const table of await listTables())
      snapshot.set(table.name, { key: table.key, rows: await readTable(table) })
    return snapshot
  })
}

/** Returns the new, changed and deleted rows. Without a primary key, a change is a deleted row and a new row. */
function listChanges(
  before: readonly DatabaseRow[],
  after: readonly DatabaseRow[],
  key: readonly string[],
): Record<string, unknown>[] {
  const keyOf = (row: DatabaseRow) =>
    JSON.stringify(key.length === 0 ? Object.values(row) : key.map((column) => row[column]))
  const known = new Map<string, DatabaseRow[]>()
  for (const row of before) known.set(keyOf(row), [...(known.get(keyOf(row)) ?? []), row])
  const changed = after.flatMap((row) => {
    const old = known.get(keyOf(row))?.pop()
    return old !== undefined && JSON.stringify(old) === JSON.stringify(row) ? [] : [toChange(row, old)]
  })
  const deleted = [...known.values()].flat().map((row) => ({ ...toChange(row), deleted: true }))
  return [...changed, ...deleted]
}

// A number such as a balance grows from run to run, so the change of an old row is compared.
function toChange(row: DatabaseRow, old: DatabaseRow = {}): Record<string, unknown> {
  const entries = Object.entries(row).map(([column, value]) => {
    const former = old[column]
    const isChange = typeof value === 'number' && typeof former === 'number' && former !== value
    if (isChange && !isUnixTime(value)) return [column, value - former]
    return [column, typeof value === 'string' && /^[[{]/.test(value) ? parseDocument(value) : value]
  })
  return Object.fromEntries(entries)
}

/** Returns the value of a JSON text. Of a stored event, returns only the id. */
function parseDocument(text: string): unknown {
  const value = parseJson(text) ?? text
  const id = isJsonObject(value) ? String(value['id']) : ''
  return EVENT_ID.test(id) ? id : value
}

/** Returns the event ids in a table of received events, whose rows are not compared; null for any other table. */
function toReceivedEvents(name: string, rows: readonly Record<string, unknown>[]): string[] | null {
  if (!RECEIVED_NAME.test(name)) return null
  const ids = rows.map((row) =>
    Object.values(row).find((value): value is string => typeof value === 'string' && EVENT_ID.test(value)),
  )
  return ids.every((id) => id !== undefined) ? ids : null
}
