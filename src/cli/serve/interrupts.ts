/** The exit code of a command that ^C ended. */
export const INTERRUPT_EXIT_CODE = 130

/** The exit code of a command that SIGTERM ended before it was complete. */
export const TERMINATION_EXIT_CODE = 143

/**
 * Calls `stop` with the exit code on the first ^C or SIGTERM. A second ^C ends the process immediately. Returns a function
 * that triggers the same stop for another reason.
 */
export function onInterrupt(stop: (code: number) => void, terminationCode = 0): (code: number) => void {
  let isStopping = false
  const begin = (code: number) => {
    if (isStopping) return
    isStopping = true
    stop(code)
  }
  process.on('SIGINT', () => (isStopping ? process.exit(INTERRUPT_EXIT_CODE) : begin(INTERRUPT_EXIT_CODE)))
  process.once('SIGTERM', () => begin(terminationCode))
  return begin
}

/**
 * Runs `work` until it ends, or until ^C or SIGTERM, which aborts its signal and sets the exit code. The result is null if
 * `work` then fails, because an interruption is not an error.
 */
export async function runInterruptibly<T>(work: (signal: AbortSignal) => Promise<T>) {
  const interruption = new AbortController()
  let isInterrupted = false
  onInterrupt((code) => {
    isInterrupted = true
    process.exitCode = code
    interruption.abort()
  }, TERMINATION_EXIT_CODE)
  const result = await work(interruption.signal).catch((error: unknown) => {
    if (!isInterrupted) throw error
    return null
  })
  return { result, isInterrupted }
}

/** Waits for a signal or for the promise `broken`, then calls `stopAll` and returns the exit code. */
export function stopOnSignal(stopAll: () => Promise<void>, broken: Promise<number>): Promise<number> {
  return new Promise((resolve, reject) => {
    const begin = onInterrupt((code) => stopAll().then(() => resolve(code), reject))
    broken.then(begin)
  })
}

/** Waits for the end of standard input, for example because the parent process has ended. Returns exit code 0. */
export function waitForStdinEnd(): Promise<number> {
  const { stdin } = process
  stdin.resume()
  // An open stdin must not keep the process alive when it stops for another reason.
  if ('unref' in stdin) stdin.unref()
  return new Promise((resolve) => {
    // A broken pipe emits `close`. A file emits only `end`.
    for (const end of ['end', 'close', 'error']) stdin.once(end, () => resolve(0))
  })
}
