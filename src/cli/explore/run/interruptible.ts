import { onInterrupt, TERMINATION_EXIT_CODE } from '../../serve/interrupts.ts'

/**
 * Runs `work` until it ends, or until ^C or SIGTERM, which aborts its signal and sets the exit code. The result is null if
 * `work` then fails, because an interruption is no error: the app has ended and its sandbox is deleted.
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
