import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathsIn } from '../support/repository/source-files.ts'
import { ROOT } from '../support/root.ts'

/** A fenced code block of a document. */
export interface CodeBlock {
  /** Path of the document from the root. */
  readonly document: string
  /** Line of the opening fence, from 1. */
  readonly line: number
  /** Language after the opening fence, such as `sh`; empty if there is no language. */
  readonly language: string
  readonly code: string
}

/** The paths of README.md and of every guide, from the root. */
export const GUIDES: readonly string[] = ['README.md', ...pathsIn(ROOT, '.github/guides', ['.md'])]

/** Reads a document by its path from the root. */
export function readDocument(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

/** Returns the fenced code blocks of a document in order. */
export function codeBlocks(document: string): CodeBlock[] {
  const text = readDocument(document)
  return [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(({ index, 1: language = '', 2: code = '' }) => ({
    document,
    line: text.slice(0, index).split('\n').length,
    language,
    code,
  }))
}

const FILE_NAME = /^(?:\/\/|#) ([\w./-]+\.\w+)\n/

/** Returns the code blocks of a guide whose first line is a comment with a file name, by that name. */
export function exampleFiles(document: string): ReadonlyMap<string, string> {
  return new Map(
    codeBlocks(document).flatMap(({ code }) => {
      const [, name] = FILE_NAME.exec(code) ?? []
      return name === undefined ? [] : [[name, code] as const]
    }),
  )
}
