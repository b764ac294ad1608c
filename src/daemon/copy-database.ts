import { StartupError } from '../domain/core/startup-error.ts'
import { DEFAULT_SANDBOX } from '../domain/sandboxes/sandboxes.ts'
import { createPrivateParentFolder } from '../store/disk/private-file.ts'
import { getSandboxFile } from '../store/file/sandbox-files.ts'
import { writeSnapshot } from '../store/file/snapshot-writer.ts'
import type { MemoryRecords } from '../store/memory/memory-records.ts'
import { hasDatabase } from '../store/open-database.ts'
import { formatDatabaseName, isDatabaseUrl } from '../store/port/database-url.ts'
import type { OnProgress } from '../store/postgres/sandbox-contents.ts'
import { loadSandboxContents, writePostgresContents } from '../store/sandbox-contents.ts'
import { countRecords, createSnapshotOptions } from './doctor.ts'

/**
 * Copies a database with its durable sandboxes to an empty database; `from` and `to` are a file path or a URL. The
 * source may be in use. Resolves with both addresses without passwords, and with the number of records of all
 * sandboxes.
 */
export async function copyDatabase(from: string, to: string, onProgress?: OnProgress) {
  // Reading a file reports no progress, because reading is fast and would report bytes instead of records.
  const readOptions = isDatabaseUrl(from) && onProgress !== undefined ? { onProgress } : {}
  const { records } = await loadSandboxContents(from, readOptions)
  const target = isDatabaseUrl(to) ? createPostgresTarget(to, onProgress) : createFileTarget(to)
  let count = countRecords(records)
  // Copy the default sandbox last: an interrupted copy has no default sandbox, so it is not a valid database.
  for (const sandbox of durablePlacesOf(records)) {
    const contents = await readIfExists(from, sandbox)
    if (contents === null) continue
    await target(sandbox, contents)
    count += countRecords(contents)
  }
  await target(DEFAULT_SANDBOX, records)
  return { from: formatDatabaseName(from), to: formatDatabaseName(to), records: count }
}

type WriteTarget = (sandbox: string, records: MemoryRecords) => Promise<void>

function createPostgresTarget(url: string, onProgress?: OnProgress): WriteTarget {
  const options = { isReplaced: false, ...(onProgress === undefined ? {} : { onProgress }) }
  return (sandbox, records) => writePostgresContents(url, records, { ...options, sandbox })
}

function createFileTarget(database: string): WriteTarget {
  if (hasDatabase(database)) {
    throw new StartupError(
      'target_exists',
      `Cannot copy to ${database}: the file already exists. Name a new file.`,
    )
  }
  return async (sandbox, records) => {
    const file = getSandboxFile(database, sandbox)
    await createPrivateParentFolder(file)
    await writeSnapshot(file, records, createSnapshotOptions())
  }
}

/** Returns the id of each durable sandbox, followed by the id of its original contents. */
function durablePlacesOf(records: MemoryRecords): string[] {
  const sandboxes = [...records.all('sandboxes')]
  return sandboxes.filter(({ storage }) => storage === 'durable').flatMap(({ id }) => [id, `${id}-origin`])
}

// Expired sandboxes have no contents, and only copied sandboxes have original contents.
async function readIfExists(database: string, sandbox: string): Promise<MemoryRecords | null> {
  try {
    return (await loadSandboxContents(database, { sandbox })).records
  } catch (error) {
    if (error instanceof StartupError && error.code === 'database_missing') return null
    throw error
  }
}
