import { useEffect, useRef, useState } from 'preact/hooks'
import { RequestError } from './api-client.ts'
import { type History, readHistory } from './history.ts'
import { readRelated } from './related.ts'
import type { ApiObject, RelatedGroup } from './story-scope.ts'
import { historyIds } from './story-scope.ts'
import { useNewEvents } from './use-live.ts'

/** The related objects and the history of an object; null until they are read. */
export interface Story {
  readonly related: readonly RelatedGroup[] | null
  readonly history: History | null
  readonly error: RequestError | null
}

const EMPTY: Story = { related: null, history: null, error: null }
/** Longer than the default, because each reading sends many requests. */
const RELOAD_MS = 1000

/**
 * Reads the related objects and the history of an object. Calls `onChange` after events of these objects, so that the
 * caller reads the object again.
 */
export function useStory(object: ApiObject | null, onChange: () => void): Story {
  const [story, setStory] = useState<Story & { readonly id: string }>({ id: '', ...EMPTY })
  const ids = useRef<ReadonlySet<string>>(new Set())
  const id = object?.id ?? ''
  useEffect(() => {
    if (object === null) return
    const { id } = object
    const controller = new AbortController()
    const { signal } = controller
    const read = async () => {
      const related = await readRelated(object, signal)
      const own = historyIds(object, related)
      ids.current = new Set(own)
      setStory((last) => ({ id, related, history: last.id === id ? last.history : null, error: null }))
      const history = await readHistory(own, signal)
      setStory({ id, related, history, error: null })
    }
    read().catch((error: unknown) => {
      if (signal.aborted) return
      if (!(error instanceof RequestError)) throw error
      setStory((last) => ({ ...(last.id === id ? last : EMPTY), id, error }))
    })
    return () => controller.abort()
  }, [object])
  useNewEvents(({ data }) => id !== '' && isAbout(data.object, id, ids.current), onChange, RELOAD_MS)
  return story.id === id ? story : EMPTY
}

function isAbout(changed: object, id: string, ids: ReadonlySet<string>): boolean {
  return Object.values(changed).some((value) => value === id || (typeof value === 'string' && ids.has(value)))
}
