import type { SourceFile } from './source.ts'

/** What a rule must find, in this order and nothing besides; `says` is empty where it must find nothing. */
export type Canary = { rule: string; finds: string[]; says: RegExp[] }

/** A file made of lines. */
export function file(path: string, ...lines: string[]): SourceFile {
  return { path, text: `${lines.join('\n')}\n` }
}
