import { DomainError, type Doubtful, type ValidationError } from '../../domain/domain-error.ts'
import type { Collection, Collections } from '../../store/port/collections.ts'
import type { Page, Query, Range, Reader } from '../../store/port/store.ts'
import { type Live, listAnswer, type Shown } from '../resources/answers.ts'
import type { List } from '../resources/lists.ts'
import { type Bounds, id, integer, type ObjectSchema, range, type Schema, shape } from '../schema/schema.ts'
import { type Lookup, lookup } from './operation.ts'

export type { List }

export interface PageParams {
  readonly limit?: number
  readonly starting_after?: string
  readonly ending_before?: string
}

/** The parameters every list takes. */
export const pageParams = {
  limit: integer({ min: 1, max: 100 }, 'How many objects, 1 to 100; 10 unless given.'),
  starting_after: id('The id of the last object of the page before: the next older ones follow.'),
  ending_before: id('The id of the first object of the page after: the next newer ones come before.'),
}

const DEFAULT_LIMIT = 10

/** What a list can be asked for: equality filters by name, and ranges over numbers. */
export interface ListRules<C extends Shown, F extends Filters, R extends string> {
  readonly collection: C
  readonly path: string
  readonly summary: string
  readonly filters: F
  readonly ranges?: readonly R[]
  readonly present?: (record: Live<C>, reader: Reader) => Promise<Live<C>>
}

type Filters = Readonly<Record<string, Schema<string> | Schema<readonly string[]>>>
type ListParams<F, R extends string> = PageParams & {
  readonly [K in keyof F]?: F[K] extends Schema<infer T> ? T : never
} & { readonly [K in R]?: Bounds }

/** The list operation of a resource; `present` may still change rows before they are answered. */
export function listOperation<C extends Shown, F extends Filters, R extends string = 'created'>(
  rules: ListRules<C, F, R>,
): Lookup<ListParams<F, R>, List<Live<C>>> {
  const ranges: readonly string[] = rules.ranges ?? ['created']
  const rangeParams = Object.fromEntries(ranges.map((name) => [name, range(`Bounds of \`${name}\`.`)]))
  return lookup<ListParams<F, R>, List<Live<C>>>({
    method: 'GET',
    path: rules.path,
    summary: rules.summary,
    params: shape({}, { ...pageParams, ...rules.filters, ...rangeParams }) as ObjectSchema<ListParams<F, R>>,
    answer: listAnswer(rules.collection),
    faults: (given) => cursorFaults(given as Doubtful<PageParams>),
    async load(reader, params) {
      const where = given(rules.filters, params)
      const page = await pagedRecords(reader, rules.collection, {
        params,
        where,
        ranges: givenRanges(ranges, params),
      })
      const { present = async (record) => record } = rules
      const data = await Promise.all(page.data.map((record) => present(record as Live<C>, reader)))
      return { object: 'list', url: rules.path, data, has_more: page.has_more }
    },
  })
}

/** What is wrong with the parameters of a page by themselves: two cursors. */
export function cursorFaults({ starting_after, ending_before }: Doubtful<PageParams>): ValidationError[] {
  if (starting_after === undefined || ending_before === undefined) return []
  const message = 'Give starting_after or ending_before, not both: a page lies on one side of one object.'
  return [{ code: 'parameters_exclusive', param: 'ending_before', message }]
}

/** The page that a list's parameters ask for; refuses a cursor that is in no list. */
export async function pagedRecords<C extends Collection>(
  reader: Reader,
  collection: C,
  asked: { readonly params: PageParams; readonly where: Query['where']; readonly ranges?: readonly Range[] },
): Promise<Page<Collections[C]>> {
  const { limit = DEFAULT_LIMIT, starting_after, ending_before } = asked.params
  await checkCursor(reader, collection, asked.params)
  return reader.list(collection, {
    where: asked.where ?? {},
    ranges: asked.ranges ?? [],
    limit,
    ...(starting_after === undefined ? {} : { starting_after }),
    ...(ending_before === undefined ? {} : { ending_before }),
  })
}

function given(filters: Filters, params: object): Record<string, string | readonly string[]> {
  const where: Record<string, string | readonly string[]> = {}
  const values = new Map<string, unknown>(Object.entries(params))
  for (const name of Object.keys(filters)) {
    const value = values.get(name)
    if (typeof value === 'string' || Array.isArray(value)) where[filterName(name)] = value
  }
  return where
}

// `types` is the plural form of the filter `type`.
function filterName(param: string): string {
  return param === 'types' ? 'type' : param
}

function givenRanges(names: readonly string[], params: object): Range[] {
  const values = new Map<string, unknown>(Object.entries(params))
  return names.flatMap((field) => {
    const bounds = values.get(field)
    return typeof bounds === 'object' ? [{ field, ...bounds }] : []
  })
}

async function checkCursor(reader: Reader, collection: Collection, params: PageParams): Promise<void> {
  const { starting_after, ending_before } = params
  const param = starting_after === undefined ? 'ending_before' : 'starting_after'
  const cursor = starting_after ?? ending_before
  if (cursor === undefined) return
  const record = await reader.get(collection, cursor)
  if (record !== null && 'created' in record) return
  throw new DomainError(
    'resource_missing',
    `No such object in this list: '${cursor}'. Use the id of an object from an earlier page.`,
    { param },
  )
}
