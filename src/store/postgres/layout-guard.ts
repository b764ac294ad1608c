import { DomainError } from '../../domain/domain-error.ts'
import type { QueryRow } from './postgres-connection.ts'

/** Detects that another version has changed the layout of the records, so that this process could read wrong results. */
export type LayoutGuard = ReturnType<typeof createLayoutGuard>

/** Creates the guard of a process whose rules compute the columns of records with a layout. */
export function createLayoutGuard(layout: string) {
  let error: DomainError | null = null
  return {
    layout,
    /** Throws when the layout in a row of `head` differs. */
    require(row: QueryRow | undefined): void {
      if (row?.['layout'] === layout) return
      error = new DomainError(
        'unavailable',
        'Another version of paycli changed the layout of the database. Restart this server with that version.',
      )
      throw error
    },
    /** Throws when a different layout was found earlier. */
    requireUnchanged(): void {
      if (error !== null) throw error
    },
  }
}
