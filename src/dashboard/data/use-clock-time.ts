import { useApi } from './use-api.ts'
import { useNewEvents } from './use-live.ts'

interface ClockTime {
  readonly frozen_time?: number
}

/** Returns the current time of an object in Unix seconds: that of its test clock, or real time; undefined until it is read. */
export function useClockTime(testClock: string | null): number | undefined {
  const path = testClock === null ? null : `/v1/test_helpers/test_clocks/${testClock}`
  const { data, reload } = useApi<ClockTime>(path)
  useNewEvents((event) => event.data.object.id === testClock, reload)
  return testClock === null ? Math.floor(Date.now() / 1000) : data?.frozen_time
}
