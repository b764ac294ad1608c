import { replaceQuery, useRoute } from '../routing/router.ts'

/** The filters of a screen, which are the query of its URL; a filter without a value is ''. */
export interface Filters<N extends string> {
  readonly values: Readonly<Record<N, string>>
  /** Sets the value of a filter; '' removes it. */
  readonly set: (name: N, value: string) => void
  /** Whether any filter has a value. */
  readonly isFiltered: boolean
}

/** Returns the filters with these names, and renders again when they change. */
export function useFilters<N extends string>(names: readonly N[]): Filters<N> {
  const { query } = useRoute()
  const values = Object.fromEntries(names.map((name) => [name, query.get(name) ?? ''])) as Record<N, string>
  return {
    values,
    set(name, value) {
      const { [name]: _, ...others } = Object.fromEntries(query)
      replaceQuery(value === '' ? others : { ...others, [name]: value })
    },
    isFiltered: names.some((name) => values[name] !== ''),
  }
}
