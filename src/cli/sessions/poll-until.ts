import { waitUnlessAborted } from '../../client/timing.ts'

const POLL_MS = 100

/** Polls a condition every 100 ms until it is true; resolves with false after the timeout in milliseconds. */
export async function pollUntil(condition: () => Promise<boolean>, timeoutMs: number): Promise<boolean> {
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    if (await condition()) return true
    if (waitedMs >= timeoutMs) return false
    await waitUnlessAborted(POLL_MS)
  }
}
