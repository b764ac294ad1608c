import { once } from 'node:events'

/** The number a shell gives to a command that ^C ended. */
export const EXIT_AFTER_INTERRUPT = 130

/** Calls `stop` with the exit code at the first ^C or request to end; a second ^C ends at once. */
export function onInterrupt(stop: (code: number) => void): void {
  process.once('SIGINT', () => {
    process.once('SIGINT', () => process.exit(EXIT_AFTER_INTERRUPT))
    stop(EXIT_AFTER_INTERRUPT)
  })
  process.once('SIGTERM', () => stop(0))
}

/** Resolves with the exit code when whoever has the other end of standard input is gone. */
export async function untilStdinEnds(): Promise<number> {
  const { stdin } = process
  stdin.resume()
  // It is waited for, and must not be what a process that stops for another reason waits for.
  if ('unref' in stdin) stdin.unref()
  await once(stdin, 'close')
  return 0
}
