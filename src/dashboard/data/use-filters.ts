import { readRoute, replaceQuery, useRoute } from '../routing/router.ts'

/**
 * Returns the filters with these names, which are the query of the URL of the screen, and renders again when they change. A
 * filter without a value is ''; `isFiltered` is true if any filter has a value.
 */
export function useFilters<N extends string>(names: readonly N[]) {
  const { query } = useRoute()
  const entries = names.map((name) => [name, query.get(name)?.trim() ?? ''])
  return {
    values: Object.fromEntries(entries) as Readonly<Record<N, string>>,
    isFiltered: entries.some(([, value]) => value !== ''),
  }
}

/** Changes filters in the URL of the screen; '' removes a filter. */
export function setFilters(changes: Readonly<Record<string, string>>): void {
  const query = { ...Object.fromEntries(readRoute().query), ...changes }
  replaceQuery(Object.fromEntries(Object.entries(query).filter(([, value]) => value !== '')))
}
