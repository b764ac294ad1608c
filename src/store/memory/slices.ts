export type YieldToEventLoop = () => Promise<void>

/** Splits long work into slices, so that requests are served between slices. */
export interface SliceScheduling {
  readonly yieldToEventLoop: YieldToEventLoop
  /** Returns milliseconds of a monotonic clock. */
  readonly monotonicMs: () => number
}

const SLICE_MS = 2

/** Calls `work` for the numbers from 0 to `count` - 1, in order; yields to the event loop every 2 ms. */
export async function runInSlices(
  count: number,
  work: (index: number) => void,
  scheduling: SliceScheduling,
): Promise<void> {
  let index = 0
  const workOnBatch = () => {
    const end = Math.min(index + CALLS_PER_CHECK, count)
    for (; index < end; index += 1) work(index)
    return index < count
  }
  await repeatInSlices(workOnBatch, scheduling)
}

/** Calls `work` until it returns false; yields to the event loop every 2 ms. */
export async function repeatInSlices(
  work: () => boolean,
  { yieldToEventLoop, monotonicMs }: SliceScheduling,
): Promise<void> {
  let startedMs = monotonicMs()
  while (work()) {
    if (monotonicMs() - startedMs < SLICE_MS) continue
    await yieldToEventLoop()
    startedMs = monotonicMs()
  }
}

/** Number of calls between two reads of the clock, because a read takes about as long as storing a record. */
const CALLS_PER_CHECK = 32
