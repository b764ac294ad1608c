import { type Fields, isFields } from '../../client/fields.ts'

/** One field of an object that is not what it was; null where it is not there. */
export interface FieldChange {
  readonly field: string
  readonly from: unknown
  readonly to: unknown
}

/** How these fields have changed. */
export function changesOfFields(names: readonly string[], before: Fields, now: Fields): FieldChange[] {
  return names.flatMap((field) => leafChanges({ field, from: before[field], to: now[field] }))
}

/** In which fields an object differs from what it was. */
export function changesBetween(before: Fields, now: Fields): FieldChange[] {
  return changesOfFields(differing(before, now), before, now)
}

function differing(before: Fields, now: Fields): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])]
  return names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(now[name]))
}

// Inside objects only what differs is told, each by its path.
function leafChanges({ field, from, to }: FieldChange): FieldChange[] {
  if (!isFields(from) && !isFields(to)) return [{ field, from: from ?? null, to: to ?? null }]
  const [before, now] = [isFields(from) ? from : {}, isFields(to) ? to : {}]
  return differing(before, now).flatMap((name) =>
    leafChanges({ field: `${field}.${name}`, from: before[name], to: now[name] }),
  )
}
