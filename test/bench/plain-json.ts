import { readFile } from 'node:fs/promises'
import { recordWithEvent } from './records.ts'

/** The first characters of a record in a snapshot and of a transaction in a journal. */
const RECORD_STARTS = ['{"id":', '{"c":'] as const

/** Does what a plain JSON database would do with the same records, in a separate process. */
export async function openPlainJson(_options: Record<string, never>) {
  return {
    /** Returns how long one JSON.stringify of all records blocks the event loop; null when the text is too long for V8. */
    stringifyMs(size: number): number | null {
      const pairs = Array.from({ length: size }, (_, at) => recordWithEvent(at, { blend: 'customers', size }))
      const customers = pairs.map(({ record }) => record)
      const events = pairs.map(({ event }, at) => ({ ...event, sequence: at + 1 }))
      const startedMs = performance.now()
      try {
        JSON.stringify({ customers, events })
      } catch (error) {
        if (error instanceof RangeError) return null
        throw error
      }
      return performance.now() - startedMs
    },
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
