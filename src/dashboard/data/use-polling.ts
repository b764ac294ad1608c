import { useEffect } from 'preact/hooks'

const POLL_MS = 2000

/** Calls a function every two seconds while the tab is visible, never while its last call is running. */
export function usePolling(work: () => Promise<void>, isActive = true): void {
  useEffect(() => {
    if (!isActive) return
    let isRunning = false
    const poll = async () => {
      if (isRunning || document.visibilityState !== 'visible') return
      isRunning = true
      await work().finally(() => {
        isRunning = false
      })
    }
    const timer = setInterval(poll, POLL_MS)
    return () => clearInterval(timer)
  }, [work, isActive])
}
