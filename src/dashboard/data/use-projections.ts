import { useEffect, useState } from 'preact/hooks'
import { get, RequestError } from './api-client.ts'
import type { ProjectionResponse } from './reports.ts'

/** The projections of some subscriptions. */
interface LoadedProjections {
  readonly key: string
  readonly projections: readonly ProjectionResponse[] | null
  readonly error: RequestError | null
}

const EVENTS = 60
const EMPTY: LoadedProjections = { key: '', projections: null, error: null }

/** Reads the projected events of subscriptions, and again when the object that names them or the time changes. */
export function useProjections(
  subscriptions: readonly string[],
  object: object,
  now: number | undefined,
): LoadedProjections {
  const key = subscriptions.join()
  const [state, setState] = useState(EMPTY)
  // biome-ignore lint/correctness/useExhaustiveDependencies: they stand for the state of the subscriptions.
  useEffect(() => {
    const controller = new AbortController()
    const ids = key === '' ? [] : key.split(',')
    Promise.all(
      ids.map((subscription) =>
        get<ProjectionResponse>('/v1/projections', { subscription, limit: EVENTS }, controller.signal),
      ),
    )
      .then((projections) => setState({ key, projections, error: null }))
      .catch((error: unknown) => {
        if (controller.signal.aborted) return
        if (!(error instanceof RequestError)) throw error
        setState({ key, projections: null, error })
      })
    return () => controller.abort()
  }, [key, object, now])
  return state.key === key ? state : EMPTY
}
