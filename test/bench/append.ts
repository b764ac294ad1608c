import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { median } from './rounds.ts'

const PRIVATE = 0o600

/** Opens a file for appends like those of a journal: each write is durable when it returns. */
export async function openAppend({ file }: { readonly file: string }) {
  return {
    /** Returns the median time of one append of this size, in milliseconds. */
    median(bytes: number, seconds: number): number {
      const descriptor = openSync(file, constants.O_WRONLY | constants.O_CREAT | constants.O_DSYNC, PRIVATE)
      const line = Buffer.alloc(bytes, 'x')
      const times: number[] = []
      const endMs = performance.now() + seconds * 1000
      for (let at = 0; performance.now() < endMs; at += bytes) {
        const startedMs = performance.now()
        writeSync(descriptor, line, 0, bytes, at)
        times.push(performance.now() - startedMs)
      }
      closeSync(descriptor)
      return median(times)
    },
  }
}
