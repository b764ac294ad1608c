import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { SourceFile } from './source.ts'

/** The paths below a folder that end in one of the given ways, from `root` and with slashes; none if it is missing. */
export function pathsIn(root: string, folder: string, endings: readonly string[]): string[] {
  const start = join(root, folder)
  if (!existsSync(start)) return []
  return readdirSync(start, { recursive: true })
    .map((path) => `${folder}/${String(path).split(sep).join('/')}`)
    .filter((path) => endings.some((ending) => path.endsWith(ending)))
    .sort()
}

/** Reads a file by its path from `root`; undefined if there is none. */
export function readIfThere(root: string, path: string): string | undefined {
  return existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined
}

/** Reads every source of the house: src, commands, bin and test. */
export function readHouse(root: string): SourceFile[] {
  return ['src', 'commands', 'bin', 'test']
    .flatMap((folder) => pathsIn(root, folder, ['.ts', '.tsx', '.js', '.mjs']))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}
