import { listUpdates, type ObjectUpdate, type StoredObject } from './changes.ts'
import { DomainError } from './domain-error.ts'
import type { EventType } from './event-types.ts'

export type Metadata = Readonly<Record<string, string>>

/** The metadata of objects without metadata; shared, because an empty object takes 56 bytes. */
export const NO_METADATA: Metadata = Object.freeze({})

/** Changes to metadata: `null` or `""` removes a key; `null` or `""` instead of the object removes all keys. */
export type MetadataChanges = Readonly<Record<string, string | null>> | '' | null

/** Maximum number of metadata keys per object, as at Stripe. */
export const MAX_METADATA_KEYS = 50

/**
 * Returns the metadata of a new object without empty values, which an update would also drop. Throws `metadata_invalid`
 * above 50 keys.
 */
export function createMetadata(fields: Metadata | undefined): Metadata {
  const metadata = mergeMetadata(NO_METADATA, fields)
  return Object.keys(metadata).length === 0 ? NO_METADATA : metadata
}

/** Merges metadata by key as Stripe does: empty values remove their key. Throws `metadata_invalid` above 50 keys. */
export function mergeMetadata(old: Metadata, fields: MetadataChanges | undefined): Metadata {
  if (fields === undefined) return old
  if (fields === null || fields === '') return {}
  const merged = new Map(Object.entries(old))
  for (const [key, value] of Object.entries(fields)) {
    if (value === null || value === '') merged.delete(key)
    else merged.set(key, value)
  }
  requireKeyLimit(merged.size)
  return Object.fromEntries(merged)
}

/**
 * Updates fields of an object. Omitted fields keep their value, null unsets a field, and metadata is merged. Returns no
 * change if no field differs.
 */
export function updateFields<T extends StoredObject & { readonly metadata: Metadata }>(
  event: EventType,
  before: T,
  fields: Partial<Omit<T, 'metadata'>> & { readonly metadata?: MetadataChanges },
): { readonly changes: readonly ObjectUpdate<T>[]; readonly result: T } {
  const result = { ...before, ...fields, metadata: mergeMetadata(before.metadata, fields.metadata) }
  return { changes: listUpdates(event, before, result), result }
}

function requireKeyLimit(keys: number): void {
  if (keys <= MAX_METADATA_KEYS) return
  throw new DomainError(
    'metadata_invalid',
    `Too many metadata keys: ${keys} after merging, and the limit is ${MAX_METADATA_KEYS}. Remove keys by setting them to null.`,
    { param: 'metadata' },
  )
}
