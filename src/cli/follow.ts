import type { List } from '../api/lists.ts'
import { ApiError } from '../client/api-error.ts'

const PAGE = 100

interface Place {
  readonly limit: number
  readonly ending_before?: string
}

/** Gives what was added to a list since it was asked last, oldest first; at first nothing of what was there. */
export type Follow<T> = () => Promise<readonly T[]>

/** Follows a list from where it ends now. An object it held on to may be gone meanwhile: then it begins anew. */
export async function follow<T extends { readonly id: string }>(
  readPage: (place: Place) => Promise<List<T>>,
): Promise<Follow<T>> {
  let newest = (await readPage({ limit: 1 })).data[0]?.id

  return async () => {
    const found: T[] = []
    for (;;) {
      const page = await pageAfter(readPage, newest)
      found.push(...[...page.data].reverse())
      newest = page.data[0]?.id ?? newest
      if (!page.has_more || page.data.length === 0) return found
    }
  }
}

async function pageAfter<T>(
  readPage: (place: Place) => Promise<List<T>>,
  newest: string | undefined,
): Promise<List<T>> {
  if (newest === undefined) return lastPage(readPage)
  try {
    return await readPage({ limit: PAGE, ending_before: newest })
  } catch (error) {
    if (!(error instanceof ApiError) || error.error.code !== 'resource_missing') throw error
    return lastPage(readPage)
  }
}

// What is older than a page has been missed for good.
async function lastPage<T>(readPage: (place: Place) => Promise<List<T>>): Promise<List<T>> {
  return { ...(await readPage({ limit: PAGE })), has_more: false }
}
