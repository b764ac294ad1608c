import { readdir, rm, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DEFAULT_SANDBOX } from '../../domain/sandboxes/sandboxes.ts'
import { requireOwnFolderIfExists, returnNullForMissingPath, syncParentFolder } from '../disk/private-file.ts'
import { eraseDatabase } from './replace-database.ts'

const ID = /^[\w-]+$/
/**
 * Matches the names of the files of a sandbox: snapshot, journals, summary and temporary files; its group is the id.
 */
const SANDBOX_FILE = /^([\w-]+)\.json(?:\..+)?$/

/** Returns the folder with the files of all sandboxes of a database except the default sandbox. */
export function getSandboxesFolder(database: string): string {
  return `${database}.sandboxes`
}

/** Returns the path of the file of a sandbox; for the default sandbox, this is the path of the database. */
export function getSandboxFile(database: string, id: string): string {
  if (id === DEFAULT_SANDBOX) return database
  // Reject other ids, because an id that contains a path could select a file outside the folder.
  if (!ID.test(id)) throw new Error(`Invalid id of a sandbox: '${id}'.`)
  return join(getSandboxesFolder(database), `${id}.json`)
}

/** Returns the ids of the sandboxes that have any file, including leftovers of a crash. */
export async function listSandboxIds(database: string): Promise<string[]> {
  const names = await readSandboxFolder(database)
  return [...new Set(names.flatMap((name) => SANDBOX_FILE.exec(name)?.[1] ?? []))]
}

/** Returns the total size of the files of a sandbox in bytes. */
export async function measureSandboxFiles(database: string, id: string): Promise<number> {
  const own = await findSandboxFiles(database, id)
  const found = await Promise.all(own.map((path) => stat(path).catch(returnNullForMissingPath)))
  return found.reduce((sum, file) => sum + (file?.size ?? 0), 0)
}

/** Deletes all files of a sandbox. The caller must hold the lock. */
export async function deleteSandboxFiles(database: string, id: string): Promise<void> {
  const file = getSandboxFile(database, id)
  const own = await findSandboxFiles(database, id)
  if (own.length === 0) return
  await eraseDatabase(file)
  for (const path of own) await rm(path, { force: true })
  await syncParentFolder(file)
}

/** Deletes the files of all sandboxes except the default sandbox. The caller must hold the lock. */
export async function eraseNonDefaultSandboxes(database: string): Promise<void> {
  await requireOwnFolderIfExists(getSandboxesFolder(database))
  for (const id of await listSandboxIds(database)) await deleteSandboxFiles(database, id)
  const isEmpty = (await readdir(getSandboxesFolder(database)).catch(returnNullForMissingPath))?.length === 0
  if (isEmpty) await rmdir(getSandboxesFolder(database))
}

/** Deletes the temporary files of all sandboxes, which a killed process left. The caller must hold the lock. */
export async function removeTemporarySandboxFiles(database: string): Promise<void> {
  await requireOwnFolderIfExists(getSandboxesFolder(database))
  for (const name of await readSandboxFolder(database)) {
    const isTemporary = SANDBOX_FILE.test(name) && name.endsWith('.tmp')
    if (isTemporary) await rm(join(getSandboxesFolder(database), name), { force: true })
  }
}

async function findSandboxFiles(database: string, id: string): Promise<string[]> {
  const own = (await readSandboxFolder(database)).filter((name) => SANDBOX_FILE.exec(name)?.[1] === id)
  return own.map((name) => join(getSandboxesFolder(database), name))
}

async function readSandboxFolder(database: string): Promise<string[]> {
  return (await readdir(getSandboxesFolder(database)).catch(returnNullForMissingPath)) ?? []
}
