import { DomainError } from '../domain/core/domain-error.ts'

const UNAVAILABLE_CODES: ReadonlySet<string> = new Set([
  'sandbox_quota_exceeded',
  'server_full',
  'storage_full',
  'unavailable',
])

/** Returns whether a transaction failed only because the store cannot write at the moment, or is full, and may succeed later. */
export function isStoreUnavailableError(error: unknown): boolean {
  return error instanceof DomainError && UNAVAILABLE_CODES.has(error.code)
}
