import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'

/** A file for the checks: its path from the root, with slashes, and its text. */
export type SourceFile = { path: string; text: string }

/**
 * Returns the sorted paths below a folder with one of the given endings, relative to `root`; an empty list for a
 * missing folder.
 */
export function pathsIn(root: string, folder: string, endings: readonly string[]): string[] {
  const start = join(root, folder)
  if (!existsSync(start)) return []
  return readdirSync(start, { recursive: true })
    .map((path) => `${folder}/${String(path).split(sep).join('/')}`)
    .filter((path) => endings.some((ending) => path.endsWith(ending)))
    .sort()
}

/** Reads a file by its path from `root`, or returns undefined if it does not exist. */
export function readOptional(root: string, path: string): string | undefined {
  return existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined
}

/** Reads every source file in src, commands, bin and test. */
export function readSources(root: string): SourceFile[] {
  return ['src', 'commands', 'bin', 'test']
    .flatMap((folder) => pathsIn(root, folder, ['.ts', '.tsx', '.js', '.mjs']))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}
