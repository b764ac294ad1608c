import { StartupError } from '../domain/core/startup-error.ts'
import { DEFAULT_SANDBOX } from '../domain/sandboxes/sandboxes.ts'
import { formatDatabaseName } from '../store/port/database-url.ts'
import { loadSandboxContents } from '../store/sandbox-contents.ts'

/**
 * Returns the id of the sandbox with this id, or otherwise of the newest sandbox with this name. The database may be in
 * use. Throws a StartupError for a sandbox that does not exist or whose contents are not in the database.
 */
export async function resolveSandboxId(database: string, idOrName = DEFAULT_SANDBOX): Promise<string> {
  if (idOrName === DEFAULT_SANDBOX || idOrName === '') return DEFAULT_SANDBOX
  const { records } = await loadSandboxContents(database)
  const newestFirst = [...records.all('sandboxes')].sort((a, b) => b.created - a.created)
  const found =
    newestFirst.find(({ id }) => id === idOrName) ?? newestFirst.find(({ name }) => name === idOrName)
  const subject = `Sandbox '${idOrName}' of ${formatDatabaseName(database)}`
  if (found === undefined)
    throw new StartupError('sandbox_missing', `${subject} does not exist. List them: paycli sandboxes list`)
  if (found.status === 'expired')
    throw new StartupError('sandbox_missing', `${subject} has expired, so it has no contents.`)
  if (found.storage === 'durable') return found.id
  throw new StartupError(
    'sandbox_in_memory',
    `${subject} is in the memory of the server, where this command cannot read it. Create it with --storage durable.`,
  )
}
