import { readFile, rm } from 'node:fs/promises'
import { makePrivateFolder, refuseSymlink, replaceFile } from '../store/private-file.ts'

/** The object in a JSON file, or null when there is no such file. */
export async function readJson(file: string): Promise<Readonly<Record<string, unknown>> | null> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'))
    return typeof value === 'object' && value !== null ? { ...value } : null
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw new Error(`Cannot read ${file}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Writes a JSON file that only its owner may read, in one step. */
export async function writeJson(file: string, value: object, newSuffix: () => string): Promise<void> {
  await makePrivateFolder(file)
  await refuseSymlink(file)
  await replaceFile(file, `${JSON.stringify(value, null, 2)}\n`, newSuffix())
}

/** Removes a file; a missing one is fine. */
export async function removeFile(file: string): Promise<void> {
  await rm(file, { force: true })
}
