import { readRoute, replaceQuery } from '../../routing/router.ts'

/** Changes one filter in the URL of the screen; null removes it. */
export function setFilter(name: string, value: string | null): void {
  const query = Object.fromEntries(readRoute().query)
  delete query[name]
  replaceQuery(value === null ? query : { ...query, [name]: value })
}
