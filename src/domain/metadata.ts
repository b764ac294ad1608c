import { DomainError } from './domain-error.ts'

export type Metadata = Readonly<Record<string, string>>

/** Changes to metadata: `null` or `""` removes a key; `null` or `""` in place of the object clears all. */
export type MetadataFields = Readonly<Record<string, string | null>> | '' | null

/** How many keys the metadata of one object may have, as at Stripe. */
export const MAX_METADATA_KEYS = 50

/** Merges by key as Stripe does: given keys win, empty ones are removed, the rest stays; 400 past 50 keys in all. */
export function mergeMetadata(old: Metadata, fields: MetadataFields | undefined): Metadata {
  if (fields === undefined) return old
  if (fields === null || fields === '') return {}
  const merged = new Map(Object.entries(old))
  for (const [key, value] of Object.entries(fields)) {
    if (value === null || value === '') merged.delete(key)
    else merged.set(key, value)
  }
  refuseTooManyKeys(merged.size)
  return Object.fromEntries(merged)
}

function refuseTooManyKeys(keys: number): void {
  if (keys <= MAX_METADATA_KEYS) return
  throw new DomainError(
    'metadata_invalid',
    `metadata would have ${keys} keys after merging; ${MAX_METADATA_KEYS} are the most. Remove some by setting them to null.`,
    { param: 'metadata' },
  )
}
