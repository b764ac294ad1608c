/** The number a shell gives to a command that ^C ended. */
export const EXIT_AFTER_INTERRUPT = 130

/** The number a shell gives to a command that was asked to end before it had done what it was to do. */
export const EXIT_AFTER_TERMINATION = 143

/**
 * Calls `stop` once, with the exit code, at the first ^C or request to end, and gives a way to call it for another
 * reason; any ^C after that ends the process at once.
 */
export function onInterrupt(stop: (code: number) => void, whenTerminated = 0): (code: number) => void {
  let isStopping = false
  const begin = (code: number) => {
    if (isStopping) return
    isStopping = true
    stop(code)
  }
  process.on('SIGINT', () => (isStopping ? process.exit(EXIT_AFTER_INTERRUPT) : begin(EXIT_AFTER_INTERRUPT)))
  process.once('SIGTERM', () => begin(whenTerminated))
  return begin
}

/** Resolves with the exit code once a signal came, or `broken` told one, and everything has stopped. */
export function untilStopped(stopAll: () => Promise<void>, broken: Promise<number>): Promise<number> {
  return new Promise((resolve, reject) => {
    const begin = onInterrupt((code) => stopAll().then(() => resolve(code), reject))
    broken.then(begin)
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
