import { DomainError } from '../domain/domain-error.ts'

const TROUBLES: ReadonlySet<string> = new Set(['storage_full', 'unavailable'])

/** Whether a transaction failed only because the disk takes nothing just now, so that the same may go well later. */
export function isStoreTrouble(error: unknown): boolean {
  return error instanceof DomainError && TROUBLES.has(error.code)
}
