import type { List } from '../../api/core/lists.ts'

const PAGE = 100

interface Cursor {
  readonly limit: number
  readonly starting_after?: string
}

/** What a walk found, newest first; `hasMore` when it stopped before the end of the list. */
export interface Walked<T> {
  readonly found: readonly T[]
  readonly hasMore: boolean
}

/** Goes through a list page by page until its end, or until `most` were found. */
export async function walk<T extends { readonly id: string }>(
  readPage: (cursor: Cursor) => Promise<List<T>>,
  most: number,
): Promise<Walked<T>> {
  const found: T[] = []
  for (;;) {
    const last = found.at(-1)
    const cursor = last === undefined ? {} : { starting_after: last.id }
    const page = await readPage({ limit: Math.min(PAGE, most - found.length), ...cursor })
    found.push(...page.data)
    const isOver = !page.has_more || page.data.length === 0
    if (isOver || found.length >= most) return { found, hasMore: !isOver }
  }
}
