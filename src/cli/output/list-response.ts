import { isJsonObject, type JsonObject } from '../../domain/core/json-object.ts'

/** A page of a list. */
interface ListResponse {
  readonly data: readonly JsonObject[]
  readonly has_more: boolean
}

/** Returns a response as a page of a list, or null when it is not a list. */
export function parseListResponse(value: unknown): ListResponse | null {
  if (!isJsonObject(value) || value['object'] !== 'list' || !Array.isArray(value['data'])) return null
  return { data: value['data'].filter(isJsonObject), has_more: value['has_more'] === true }
}
