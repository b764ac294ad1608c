import { lstat, readFile, rm } from 'node:fs/promises'
import { StartupProblem } from '../domain/startup-problem.ts'
import { makePrivateFolder, replaceFile } from '../store/private-file.ts'

/** The object in a JSON file, or null when there is no such file; refuses a symbolic link, and what is no JSON object. */
export async function readJson(file: string): Promise<Readonly<Record<string, unknown>> | null> {
  if (!(await refuseLink(file))) return null
  const value = parse(await explained(readFile(file, 'utf8'), `${file} cannot be read`))
  if (typeof value === 'object' && value !== null) return { ...value }
  throw new StartupProblem(
    'file_damaged',
    `${file} is not a JSON object. Restore it from a copy, or remove it: the next start makes a new one.`,
  )
}

/** Writes a JSON file that only its owner may read, in one step; refuses a symbolic link. */
export async function writeJson(file: string, value: object, newSuffix: () => string): Promise<void> {
  await refuseLink(file)
  const text = `${JSON.stringify(value, null, 2)}\n`
  const written = makePrivateFolder(file).then(() => replaceFile(file, text, newSuffix()))
  await explained(written, `${file} cannot be written`)
}

/** Removes a file; a missing one is fine. */
export async function removeFile(file: string): Promise<void> {
  await rm(file, { force: true })
}

// Somebody else may have put a link there. Resolves with whether there is a file.
async function refuseLink(file: string): Promise<boolean> {
  const stats = await explained(lstat(file).catch(absent), `${file} cannot be read`)
  if (!stats?.isSymbolicLink()) return stats !== null
  throw new StartupProblem(
    'file_is_link',
    `${file} is a symbolic link, which is not followed, because secrets are kept there. Put a real file in its place, or choose another folder.`,
  )
}

function absent(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
  throw error
}

async function explained<T>(work: Promise<T>, what: string): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw new StartupProblem(
      'file_inaccessible',
      `${what}: ${error instanceof Error ? error.message : error}.`,
    )
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
