import type { List } from '../../api/core/lists.ts'
import type { ParamsOf, ResultOf } from '../../api/core/operation.ts'
import type { Client } from '../../client/client.ts'
import type { CallableOperation } from '../../client/request.ts'
import { parseListResponse } from '../output/list-response.ts'
import type { Params } from '../parse/params.ts'

const PAGE_SIZE = 100
/** Maximum number of objects of a list in memory. A longer list is cut, and `has_more` is true. */
const MAX_OBJECTS = 100_000

interface PageCursor {
  readonly limit: number
  readonly starting_after?: string
}

/** Objects of a list, newest first. `hasMore` is true when reading stopped before the end of the list. */
export interface PaginatedList<T> {
  readonly found: readonly T[]
  readonly hasMore: boolean
}

/** Reads a list page by page, up to its end or up to `max` objects. */
export async function readPages<T extends { readonly id: string }>(
  readPage: (cursor: PageCursor) => Promise<Pick<List<T>, 'data' | 'has_more'>>,
  max: number,
): Promise<PaginatedList<T>> {
  const found: T[] = []
  for (;;) {
    const last = found.at(-1)
    const cursor = last === undefined ? {} : { starting_after: last.id }
    const page = await readPage({ limit: Math.min(PAGE_SIZE, max - found.length), ...cursor })
    found.push(...page.data)
    const isEnd = !page.has_more || page.data.length === 0
    if (isEnd || found.length >= max) return { found, hasMore: !isEnd }
  }
}

type ItemOf<O> = ResultOf<O> extends List<infer T extends { readonly id: string }> ? T : never

/** Reads the objects of a list operation that match a filter, newest first, up to `max` objects. */
export function listObjects<O extends CallableOperation>(
  client: Client,
  operation: O,
  filter: ParamsOf<O>,
  max: number,
): Promise<PaginatedList<ItemOf<O>>> {
  // Every list operation accepts a cursor besides its filter.
  const readPage = (cursor: PageCursor) => client.send(operation, { ...Object(filter), ...cursor })
  return readPages(async (cursor) => (await readPage(cursor)) as List<ItemOf<O>>, max)
}

/** Sends a request for every page of a list and returns one list of all objects, at most 100,000. */
export async function readAllPages(
  client: Client,
  operation: CallableOperation,
  params: Params,
): Promise<object> {
  let response: object = {}
  const { found, hasMore } = await readPages(async ({ limit, ...cursor }) => {
    response = await client.send(operation, { limit, ...params, ...cursor })
    return (parseListResponse(response) ?? { data: [], has_more: false }) as List<{ readonly id: string }>
  }, MAX_OBJECTS)
  return parseListResponse(response) === null ? response : { ...response, data: found, has_more: hasMore }
}
