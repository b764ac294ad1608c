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

/**
 * Resolves with the exit code once a signal came, or `broken` told one, and everything has stopped; a second signal ends
 * the process at once.
 */
export function untilStopped(stopAll: () => Promise<void>, broken: Promise<number>): Promise<number> {
  return new Promise((resolve, reject) => {
    const stop = (code: number) => {
      process.once('SIGINT', () => process.exit(EXIT_AFTER_INTERRUPT))
      stopAll().then(() => resolve(code), reject)
    }
    process.once('SIGINT', () => stop(EXIT_AFTER_INTERRUPT))
    process.once('SIGTERM', () => stop(0))
    broken.then(stop)
  })
}

/** Resolves with the exit code when standard input is at its end, as when whoever has its other end is gone. */
export function untilStdinEnds(): Promise<number> {
  const { stdin } = process
  stdin.resume()
  // It is waited for, and must not be what a process that stops for another reason waits for.
  if ('unref' in stdin) stdin.unref()
  return new Promise((resolve) => {
    // A pipe that breaks closes, and a file only ends.
    for (const end of ['end', 'close', 'error']) stdin.once(end, () => resolve(0))
  })
}
