import { clocksAtWork, goOnWith, movingClocks, resumeClocks } from '../engine/clocks.ts'
import type { Runtime } from '../engine/runtime.ts'
import { createClaims } from './leases.ts'

const LOOK_MS = 2000

/** Sees to it that every test clock that moves has a process that moves it. */
export interface ClockWatch {
  /** Keeps the clocks of this process, and from time to time goes on with those that another one has left. */
  readonly look: () => Promise<void>
}

/** Watches the clocks of a store; a process that is alone goes at once on with all that it left on their way. */
export function startClockWatch(
  runtime: Runtime,
  {
    monotonicMs,
    onError,
  }: { readonly monotonicMs: () => number; readonly onError: (error: unknown) => void },
): ClockWatch {
  const { store } = runtime
  // A long advance goes on beside the requests; those on its clock are told to wait.
  if (store.sharing === undefined) resumeClocks(runtime).catch(onError)
  // What this process moves it does not share out; of what others left each takes its part.
  const isOwn = (id: string) => clocksAtWork(store).includes(id)
  const claims = createClaims(store.sharing, { prefix: 'clock:', monotonicMs, isOwn })
  let lookedMs = Number.NEGATIVE_INFINITY

  async function takeOver(): Promise<void> {
    const own = clocksAtWork(store)
    const others = (await movingClocks(store)).filter(({ id }) => !own.includes(id))
    await claims.want([...own, ...others.map(({ id }) => id)])
    for (const clock of others) if (claims.has(clock.id)) goOnWith(runtime, clock).catch(onError)
  }

  return {
    async look() {
      if (store.sharing === undefined) return
      if (monotonicMs() < lookedMs + LOOK_MS) return claims.want(clocksAtWork(store))
      lookedMs = monotonicMs()
      return takeOver()
    },
  }
}
