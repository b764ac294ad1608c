import { posix } from 'node:path'
import type { SourceFile } from './source-files.ts'

const RELATIVE_IMPORT = /^(?:import|export)\b[^'\n]*?(?:\n[^'\n]*)*?'(\.[^']+)'|\bimport\(\s*'(\.[^']+)'/gm

type Graph = Map<string, Set<string>>

function importGraph(files: SourceFile[]): Graph {
  const graph: Graph = new Map()
  for (const { path, text } of files) {
    const from = posix.dirname(path)
    for (const [, statement, call] of text.matchAll(RELATIVE_IMPORT)) {
      const to = posix.dirname(posix.join(from, statement ?? call ?? ''))
      if (from !== to) graph.set(from, (graph.get(from) ?? new Set()).add(to))
    }
  }
  return graph
}

/** Returns one path per import cycle between folders of src, type imports included. Biome checks cycles of files. */
export function folderCycles(files: SourceFile[]): string[] {
  const graph = importGraph(files.filter(({ path }) => path.startsWith('src/')))
  const done = new Set<string>()
  const found: string[] = []
  const visit = (folder: string, path: readonly string[]) => {
    const start = path.indexOf(folder)
    if (start !== -1) {
      found.push(`folders import each other: ${[...path.slice(start), folder].join(' → ')}`)
      return
    }
    if (done.has(folder)) return
    for (const next of graph.get(folder) ?? []) visit(next, [...path, folder])
    done.add(folder)
  }
  for (const folder of graph.keys()) visit(folder, [])
  return found
}
