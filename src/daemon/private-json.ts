import { rm } from 'node:fs/promises'
import { StartupProblem } from '../domain/startup-problem.ts'
import { makePrivateFolder, readPrivateFile, refusePlanted, replaceFile } from '../store/disk/private-file.ts'

/** The object in a JSON file, or null when there is no such file; refuses what others put there, and what is no JSON object. */
export async function readJson(file: string): Promise<Readonly<Record<string, unknown>> | null> {
  const text = await explained(readPrivateFile(file), `${file} cannot be read`)
  if (text === null) return null
  const value = parse(text)
  if (typeof value === 'object' && value !== null) return { ...value }
  throw new StartupProblem(
    'file_damaged',
    `${file} is not a JSON object. Restore it from a copy, or remove it: the next start makes a new one.`,
  )
}

/** Writes a JSON file that only its owner may read, in one step; refuses to replace what others put there. */
export async function writeJson(file: string, value: object, newSuffix: () => string): Promise<void> {
  await explained(refusePlanted(file), `${file} cannot be read`)
  const text = `${JSON.stringify(value, null, 2)}\n`
  const written = makePrivateFolder(file).then(() => replaceFile(file, text, newSuffix()))
  await explained(written, `${file} cannot be written`)
}

/** Removes a file; a missing one is fine. */
export async function removeFile(file: string): Promise<void> {
  await rm(file, { force: true })
}

async function explained<T>(work: Promise<T>, what: string): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof StartupProblem) throw error
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
