/** Does some work and tells for how many milliseconds timers were set meanwhile; they ring as they would. */
export async function timersSetBy(work: () => Promise<unknown>): Promise<readonly number[]> {
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
