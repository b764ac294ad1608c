import { readRoute, replaceQuery, useRoute } from '../routing/router.ts'

/** The filters of a screen, which are the query of its URL; a filter without a value is ''. */
export interface UrlFilters<N extends string> {
  readonly values: Readonly<Record<N, string>>
  /** Whether any filter has a value. */
  readonly isFiltered: boolean
}

/** Returns the filters with these names, and renders again when they change. */
export function useFilters<N extends string>(names: readonly N[]): UrlFilters<N> {
  const { query } = useRoute()
  const entries = names.map((name) => [name, query.get(name)?.trim() ?? ''])
  return {
    values: Object.fromEntries(entries) as Record<N, string>,
    isFiltered: entries.some(([, value]) => value !== ''),
  }
}

/** Changes filters in the URL of the screen; '' removes one. */
export function setFilters(changes: Readonly<Record<string, string>>): void {
  const query = { ...Object.fromEntries(readRoute().query), ...changes }
  replaceQuery(Object.fromEntries(Object.entries(query).filter(([, value]) => value !== '')))
}
