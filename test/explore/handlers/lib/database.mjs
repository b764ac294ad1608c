import { DatabaseSync } from 'node:sqlite'

/** Opens the database of the app, whose file survives a restart. */
export function openDatabase(schema) {
  const database = new DatabaseSync(process.env.DATABASE ?? 'orders.sqlite')
  database.exec(schema)
  return database
}

/** Runs synchronous changes in one transaction. */
export function transaction(database, change) {
  database.exec('begin immediate')
  try {
    change()
    database.exec('commit')
  } catch (error) {
    database.exec('rollback')
    throw error
  }
}
