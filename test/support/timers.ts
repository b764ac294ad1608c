/** A delay that is longer than any test. */
const NEVER_MS = 2 ** 31 - 1

/** Runs a function and returns the delays of the timers that it sets, in milliseconds; the timers fire normally. */
export async function recordTimers(work: () => Promise<unknown>): Promise<readonly number[]> {
  const real = globalThis.setTimeout
  const set: number[] = []
  globalThis.setTimeout = Object.assign((...given: Parameters<typeof real>) => {
    set.push(Number(given[1] ?? 0))
    return real(...given)
  }, real)
  try {
    await work()
  } finally {
    globalThis.setTimeout = real
  }
  return set
}

/** Timers that fire only when the test calls `ring`. */
export interface HeldTimers {
  /** Fires the pending timers with this delay. */
  readonly ring: (ms: number) => void
  /** Resolves when a timer with this delay is set. */
  readonly isSet: (ms: number) => Promise<void>
}

/** Runs a function while timers with these delays, in milliseconds, are held; other timers fire normally. */
export async function withHeldTimers<T>(
  lengths: readonly number[],
  work: (timers: HeldTimers) => Promise<T>,
): Promise<T> {
  const { setTimeout: setReal, clearTimeout: clearReal } = globalThis
  const held = new Map<unknown, { readonly ms: number; readonly call: () => void }>()
  const setFirst = new Map(lengths.map((ms) => [ms, Promise.withResolvers<void>()]))
  globalThis.setTimeout = Object.assign((...given: Parameters<typeof setReal>) => {
    const [callback, ms = 0, ...rest] = given
    const first = setFirst.get(ms)
    if (first === undefined) return setReal(...given)
    // A real timer that never fires, so that callers can use its methods.
    const timer = setReal(() => {}, NEVER_MS).unref()
    held.set(timer, { ms, call: () => callback(...rest) })
    first.resolve()
    return timer
  }, setReal)
  globalThis.clearTimeout = (timer) => {
    held.delete(timer)
    clearReal(timer)
  }
  const ring = (ms: number) => {
    for (const [timer, one] of [...held]) if (one.ms === ms && held.delete(timer)) one.call()
  }
  try {
    return await work({ ring, isSet: async (ms) => setFirst.get(ms)?.promise })
  } finally {
    globalThis.setTimeout = setReal
    globalThis.clearTimeout = clearReal
    for (const timer of held.keys()) clearReal(timer as NodeJS.Timeout)
  }
}
