import { readFile } from 'node:fs/promises'

/** The first characters of a record in a snapshot and of a transaction in a journal. */
const RECORD_STARTS = ['{"id":', '{"c":'] as const

/** Parses records as a plain JSON database does, in a separate process. */
export async function openPlainJson(_options: Record<string, never>) {
  return {
    /** Returns the time to read a file of JSON lines and parse each, in seconds. */
    async parseSeconds(file: string): Promise<number> {
      const startedMs = performance.now()
      const bytes = await readFile(file)
      const kept: unknown[] = []
      let from = 0
      for (let to = bytes.indexOf('\n'); to >= 0; to = bytes.indexOf('\n', from)) {
        const line = bytes.toString('utf8', from, bytes[to - 1] === 0x2c ? to - 1 : to)
        from = to + 1
        if (RECORD_STARTS.some((start) => line.startsWith(start))) kept.push(JSON.parse(line))
      }
      if (kept.length === 0) throw new Error(`${file} has no JSON lines`)
      return (performance.now() - startedMs) / 1000
    },
  }
}
