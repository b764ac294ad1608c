import type { Client } from '../../client/client.ts'
import { isFields } from '../../client/fields.ts'
import type { Callable } from '../../client/request.ts'
import { asListPage } from '../output/list-view.ts'
import type { Params } from '../parse/params.ts'

const LARGEST_PAGE = 100
/** So many objects are held at once; a list that is longer says so with `has_more`. */
const MOST_OBJECTS = 100_000

/** Reads a list to its end, page by page, and resolves with one list of everything. */
export async function sendForAll(client: Client, operation: Callable, params: Params): Promise<object> {
  const data: object[] = []
  let cursor: Params = {}
  for (;;) {
    const answer = await client.send(operation, { limit: LARGEST_PAGE, ...params, ...cursor })
    const page = asListPage(answer)
    if (page === null || !isFields(answer)) return answer
    data.push(...page.data)
    const last = page.data.at(-1)
    if (!page.has_more || last === undefined || data.length >= MOST_OBJECTS)
      return { ...answer, data, has_more: page.has_more }
    cursor = { starting_after: last['id'] }
  }
}
