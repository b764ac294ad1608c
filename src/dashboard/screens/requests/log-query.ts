import { isPattern } from '../../../domain/text/globs.ts'
import type { QueryParams } from '../../data/api-client.ts'

/** The filters of the screen, from the query of its URL. */
export interface RequestFilters {
  readonly method: string
  /** A part of the path, or a pattern with `*` or a leading `!`. */
  readonly path: string
  /** The first digit of the status, such as `4`; `error` for every status of at least 400. */
  readonly status: string
}

/** Returns the parameters with which the API filters request logs. */
export function toLogQuery({ method, path, status }: RequestFilters): QueryParams {
  const pattern = path === '' || isPattern(path) ? path : `*${path}*`
  const first = Number(status) * 100
  return {
    ...{ method, path: pattern },
    ...(status === 'error' && { 'status[gte]': 400 }),
    ...(/^[2345]$/.test(status) && { 'status[gte]': first, 'status[lt]': first + 100 }),
  }
}
