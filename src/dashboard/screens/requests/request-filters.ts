import type { RequestLog } from '../../../domain/requests/request-logs.ts'
import { isPattern, matchesPattern } from '../../../domain/text/globs.ts'

export interface RequestFilters {
  readonly method: string
  /** A part of the path, or a pattern with `*` or a leading `!`. */
  readonly path: string
  /** The first digit of the status, such as `4`; `error` for all of 400 and more. */
  readonly status: string
}

type StatusBounds = Readonly<Record<'status[gte]' | 'status[lt]', number>>

/** Returns the parameters with which the API filters request logs. */
export function toLogQuery({
  method,
  path,
  status,
}: RequestFilters): Readonly<Record<string, string | number>> {
  return {
    ...(method === '' ? {} : { method }),
    ...(path.trim() === '' ? {} : { path: toPattern(path) }),
    ...statusBounds(status),
  }
}

/** Returns whether a request log matches the filters, as the API does. */
export function matchesFilters(log: RequestLog, { method, path, status }: RequestFilters): boolean {
  const bounds = statusBounds(status)
  return (
    (method === '' || log.method === method) &&
    (path.trim() === '' || matchesPattern(toPattern(path), log.path)) &&
    log.status >= (bounds['status[gte]'] ?? 0) &&
    log.status < (bounds['status[lt]'] ?? Number.POSITIVE_INFINITY)
  )
}

function toPattern(path: string): string {
  const text = path.trim()
  return isPattern(text) ? text : `*${text}*`
}

function statusBounds(status: string): Partial<StatusBounds> {
  if (status === 'error') return { 'status[gte]': 400 }
  if (!/^[2345]$/.test(status)) return {}
  const first = Number(status) * 100
  return { 'status[gte]': first, 'status[lt]': first + 100 }
}

/** Returns the live entries that match and are newer than the list, newest first, followed by the list. */
export function addLive(
  listed: readonly RequestLog[],
  live: readonly RequestLog[],
  filters: RequestFilters,
): readonly RequestLog[] {
  const known = new Set(listed.map(({ id }) => id))
  // Both are in the order in which the server stored them. Times only decide when they have no entry in common.
  const last = live.findLastIndex(({ id }) => known.has(id))
  const since = last === -1 ? (listed[0]?.created ?? 0) : 0
  const added = live.slice(last + 1).filter((log) => log.created >= since && matchesFilters(log, filters))
  return [...added.toReversed(), ...listed]
}
