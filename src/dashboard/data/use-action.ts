import { useCallback, useRef, useState } from 'preact/hooks'
import { RequestError } from './api-client.ts'

/** The state of a change that a button starts. */
interface ActionState<T> {
  readonly isRunning: boolean
  /** The result of the last run; null before the first run and after an error. */
  readonly result: T | null
  readonly error: RequestError | null
}

const IDLE = { isRunning: false, result: null, error: null }

/**
 * Returns a function that sends a change, with the state of its last run. A call during a run does nothing. The button
 * is not disabled during a run, because a disabled button loses the focus.
 */
export function useAction<A extends readonly unknown[], T>(work: (...args: A) => Promise<T>) {
  const [state, setState] = useState<ActionState<T>>(IDLE)
  const latest = useRef(work)
  latest.current = work
  const isBusy = useRef(false)
  const run = useCallback(async (...args: A) => {
    if (isBusy.current) return
    isBusy.current = true
    setState({ ...IDLE, isRunning: true })
    try {
      setState({ ...IDLE, result: await latest.current(...args) })
    } catch (error) {
      setState({ ...IDLE, error: error instanceof RequestError ? error : null })
      if (!(error instanceof RequestError)) throw error
    } finally {
      isBusy.current = false
    }
  }, [])
  return { ...state, run, reset: () => setState(IDLE) }
}
