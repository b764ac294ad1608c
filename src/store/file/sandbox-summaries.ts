import { readFile, rm, stat } from 'node:fs/promises'
import { replaceFile, returnNullForMissingPath } from '../disk/private-file.ts'
import type { SandboxSummary } from '../port/database.ts'

/** A summary with the size and modification time that the snapshot had when the summary was written. */
interface StoredSummary extends SandboxSummary {
  readonly snapshot: { readonly bytes: number; readonly changed_ms: number }
}

/** The suffix of a summary file, which is appended to the path of the snapshot. */
const SUFFIX = '.summary'

/** Writes the summary of a database that was just closed. */
export async function writeSummary(file: string, summary: SandboxSummary, newSuffix: string): Promise<void> {
  const snapshot = await stateOf(file)
  if (snapshot === null) return
  const stored: StoredSummary = { ...summary, snapshot }
  await replaceFile(`${file}${SUFFIX}`, JSON.stringify(stored), newSuffix)
}

/** Returns the summary of a closed database; null without a summary, or when the database was opened since. */
export async function readSummary(file: string): Promise<SandboxSummary | null> {
  const [text, snapshot] = await Promise.all([
    readFile(`${file}${SUFFIX}`, 'utf8').catch(returnNullForMissingPath),
    stateOf(file),
  ])
  if (text === null || snapshot === null) return null
  try {
    const { snapshot: then, ...summary } = JSON.parse(text) as StoredSummary
    const isCurrent = then.bytes === snapshot.bytes && then.changed_ms === snapshot.changed_ms
    return isCurrent ? summary : null
  } catch {
    // Ignore an invalid summary, because the database itself has the same information.
    return null
  }
}

/** Deletes the summary of a database that is about to be opened, because a crash would leave the summary out of date. */
export async function removeSummary(file: string): Promise<void> {
  await rm(`${file}${SUFFIX}`, { force: true })
}

// Size and time reveal a change that did not delete the summary, such as `state restore`.
async function stateOf(file: string): Promise<StoredSummary['snapshot'] | null> {
  const found = await stat(file).catch(returnNullForMissingPath)
  return found && { bytes: found.size, changed_ms: found.mtimeMs }
}
