import { pause } from '../../client/pause.ts'

const LOOK_EVERY_MS = 100

/** How often to look within a time. */
export interface Looks {
  readonly timeoutMs: number
  /** Resolves when it is time to look again; a tenth of a second unless given. */
  readonly nextLook?: () => Promise<void>
}

/** Looks again and again until something is so; resolves with whether it came to be in time. */
export async function until(
  isSo: () => Promise<boolean>,
  { timeoutMs, nextLook = nextMoment }: Looks,
): Promise<boolean> {
  for (let waited = 0; ; waited += LOOK_EVERY_MS) {
    if (await isSo()) return true
    if (waited >= timeoutMs) return false
    await nextLook()
  }
}

function nextMoment(): Promise<void> {
  return pause(LOOK_EVERY_MS, new AbortController().signal)
}
