import { distance } from 'fastest-levenshtein'

const MOST_MISTAKES = 3

/** The name that was probably meant, by Levenshtein's distance; null when none is near enough. */
export function nearestName(given: string, names: readonly string[]): string | null {
  const ranked = names.map((name) => ({ name, far: distance(given, name) })).sort((a, b) => a.far - b.far)
  const [best] = ranked
  return best !== undefined && best.far <= Math.min(MOST_MISTAKES, best.name.length / 2) ? best.name : null
}
