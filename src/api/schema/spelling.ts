import { distance } from 'fastest-levenshtein/esm/mod.js'

const MAX_DISTANCE = 3

/** Returns the name with the smallest Levenshtein distance, or null if more than `maxShare` of each name differs. */
export function findNearestName(given: string, names: readonly string[], maxShare = 1 / 2): string | null {
  const ranked = names
    .map((name) => ({ name, edits: isAnagram(given, name) ? 1 : distance(given, name) }))
    .sort((a, b) => a.edits - b.edits)
  const [best] = ranked
  if (best === undefined) return null
  // At most half of the given name may differ: `paid` is not a misspelled `failed`.
  const maxEdits = Math.min(
    MAX_DISTANCE,
    Math.max(1, best.name.length * maxShare),
    Math.ceil(given.length / 2),
  )
  return best.edits <= maxEdits ? best.name : null
}

// Swapped letters are one mistake: `pya` is a misspelled `pay`, but `pdf` is not.
function isAnagram(given: string, name: string): boolean {
  return (
    given.length === name.length && given !== name && [...given].sort().join() === [...name].sort().join()
  )
}
