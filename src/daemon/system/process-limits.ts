import { readFileSync } from 'node:fs'
import { getHeapStatistics } from 'node:v8'

/** The usual limit on Linux, which is assumed when the limit cannot be read or is unlimited. */
const USUAL_OPEN_FILES = 1024

/** Returns the used heap memory and its limit, in bytes. */
export function readProcessHeap(): { readonly used: number; readonly limit: number } {
  const { used_heap_size, heap_size_limit } = getHeapStatistics()
  return { used: used_heap_size, limit: heap_size_limit }
}

/** Returns the maximum number of files and connections that the process may have open. */
export function readOpenFileLimit(limitsFile = '/proc/self/limits'): number {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync(limitsFile, 'utf8')) ?? []
    return limit === undefined ? USUAL_OPEN_FILES : Number(limit)
  } catch {
    return USUAL_OPEN_FILES
  }
}
