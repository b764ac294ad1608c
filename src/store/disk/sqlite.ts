/** Loads the SQLite module of Node.js; returns null before Node.js 22.13, which has no such module. */
export async function loadSqlite(): Promise<typeof import('node:sqlite') | null> {
  const { emitWarning } = process
  try {
    // Suppresses the experimental warning of Node 22: the used part of the API is the same in all versions.
    process.emitWarning = () => {}
    return await import('node:sqlite')
  } catch {
    return null
  } finally {
    process.emitWarning = emitWarning
  }
}
