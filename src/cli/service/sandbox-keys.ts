import type { ResultOf } from '../../api/core/operation.ts'
import type { sandboxes } from '../../api/operations/sandboxes.ts'
import { isJsonObject, parseJson } from '../../domain/core/json-object.ts'
import { DEFAULT_SANDBOX } from '../../domain/sandboxes/sandboxes.ts'
import { UsageError } from '../errors/usage-error.ts'
import { getWritableHomeFolder, listHomeFolders } from './home.ts'
import { readOptionalOwnFileOrUsageError, writePrivateFileOrUsageError } from './user-file.ts'

/** A sandbox with its secrets, which the API returns only once. */
export type StoredSandbox = Pick<
  ResultOf<typeof sandboxes.create>,
  'id' | 'name' | 'created' | 'api_key' | 'webhook_secret' | 'checkout_url'
>

/** Returns the sandboxes of an API whose keys the user has stored, the newest first. Throws for an unreadable file. */
export function readStoredSandboxes(env: NodeJS.ProcessEnv, apiBase: string): StoredSandbox[] {
  const found = listHomeFolders(env).flatMap((home) => readFolder(folderOf(home, apiBase)))
  // The modification time orders sandboxes that were created in the same second.
  found.sort((a, b) => b.sandbox.created - a.sandbox.created || b.savedMs - a.savedMs)
  return found.map(({ sandbox }) => sandbox)
}

/** Returns the stored sandbox with this id, else the newest sandbox with this name, or undefined. */
export function findStoredSandbox(
  env: NodeJS.ProcessEnv,
  apiBase: string,
  idOrName: string,
): StoredSandbox | undefined {
  const stored = readStoredSandboxes(env, apiBase)
  return stored.find(({ id }) => id === idOrName) ?? stored.find(({ name }) => name === idOrName)
}

/** Throws for a name with which `--sandbox` would select the default sandbox. */
export function rejectReservedName(name: unknown): void {
  if (name !== DEFAULT_SANDBOX) return
  throw new UsageError('flag_invalid', `The name '${DEFAULT_SANDBOX}' stands for the default sandbox.`, {
    param: 'name',
    hint: 'Choose another name, such as --name worker-1.',
  })
}

/** Stores the key of a sandbox in a separate file with mode 0600, so that parallel commands do not lose a key. */
export async function storeSandboxSecrets(
  env: NodeJS.ProcessEnv,
  apiBase: string,
  { id, name, created, api_key, webhook_secret, checkout_url }: StoredSandbox,
): Promise<void> {
  const folder = folderOf(getWritableHomeFolder(env), apiBase)
  process.getBuiltinModule('node:fs').mkdirSync(folder, { recursive: true, mode: 0o700 })
  const stored: StoredSandbox = { id, name, created, api_key, webhook_secret, checkout_url }
  await writePrivateFileOrUsageError(`${folder}/${id}.json`, `${JSON.stringify(stored, null, 2)}\n`)
}

/** Deletes the stored key of a sandbox, if there is one. */
export function deleteSandboxSecrets(env: NodeJS.ProcessEnv, apiBase: string, id: string): void {
  const { existsSync, rmSync } = process.getBuiltinModule('node:fs')
  const known = listHomeFolders(env).map((home) => `${folderOf(home, apiBase)}/${id}.json`)
  // The id comes from the command line and may be any string, such as a path.
  if (!/^\w+$/.test(id)) return
  for (const file of known.filter((one) => existsSync(one))) rmSync(file)
}

// Two servers may have sandboxes with the same id, such as two servers with the same seed.
function folderOf(home: string, apiBase: string): string {
  return `${home}/sandboxes/${encodeURIComponent(apiBase)}`
}

function readFolder(folder: string): { readonly sandbox: StoredSandbox; readonly savedMs: number }[] {
  const { existsSync, readdirSync, statSync } = process.getBuiltinModule('node:fs')
  if (!existsSync(folder)) return []
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return files.flatMap((name) => {
    const file = `${folder}/${name}`
    const sandbox = parseJson(readOptionalOwnFileOrUsageError(file) ?? '')
    // Another command may have deleted the file after the folder was read.
    const stats = statSync(file, { throwIfNoEntry: false })
    return !isStoredSandbox(sandbox) || stats === undefined ? [] : [{ sandbox, savedMs: stats.mtimeMs }]
  })
}

function isStoredSandbox(value: unknown): value is StoredSandbox {
  if (!isJsonObject(value)) return false
  const { id, name, created, api_key, webhook_secret, checkout_url } = value
  const texts = [id, name ?? '', api_key, webhook_secret, checkout_url]
  return texts.every((text) => typeof text === 'string') && typeof created === 'number'
}
