import { posix } from 'node:path'

const RELATIVE_PATH = /from '(\.[^']+)'|\bimport\(\s*'(\.[^']+)'/g

/**
 * Returns the problems of the walks through the source below these headings of a document. A walk is a numbered list of at
 * least three items. Each item starts with a file, and an earlier file imports each file after the first.
 */
export function brokenWalks(
  document: string,
  headings: readonly string[],
  read: (path: string) => string | null,
): string[] {
  return headings.flatMap((heading) => {
    const section = document.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
    const items = section.match(/^\d+\. .*/gm) ?? []
    const files = items.map((item) => /^\d+\. `([^`]+\.ts)`/.exec(item)?.[1] ?? item)
    const missing = items.length < 3 ? [`${heading}: ${items.length} steps`] : []
    return [...missing, ...files.flatMap((file, at) => stepProblem(file, files.slice(0, at), read))]
  })
}

function stepProblem(
  file: string,
  earlier: readonly string[],
  read: (path: string) => string | null,
): string[] {
  if (read(file) === null) return [`${file}: no such file`]
  if (earlier.length === 0 || earlier.some((from) => importsOf(from, read(from) ?? '').includes(file)))
    return []
  return [`${file}: imported by no file of an earlier step`]
}

function importsOf(path: string, text: string): string[] {
  return [...text.matchAll(RELATIVE_PATH)].map(([, statement, call]) =>
    posix.join(posix.dirname(path), statement ?? call ?? ''),
  )
}
