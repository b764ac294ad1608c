/**
 * Returns whether a string matches a glob, in which `*` matches any characters and all other characters match
 * themselves. Searches each text between two `*` once, without the exponential backtracking of a regular expression.
 */
export function matchesGlob(glob: string, text: string): boolean {
  const [first = '', ...rest] = glob.split('*')
  const last = rest.pop()
  if (last === undefined) return text === glob
  if (!text.startsWith(first) || !text.endsWith(last)) return false
  let at = first.length
  const end = text.length - last.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return at <= end
}

/** Returns whether a filter value is a pattern of `matchesPattern` instead of an exact string. */
export function isPattern(value: string): boolean {
  return value.startsWith('!') || value.includes('*')
}

/** Returns whether a string matches a glob or, for a pattern with a leading `!`, does not match its glob. */
export function matchesPattern(pattern: string, text: string): boolean {
  return pattern.startsWith('!') ? !matchesGlob(pattern.slice(1), text) : matchesGlob(pattern, text)
}

/** Returns the patterns of a filter value: an exclusion adds to the default pattern, any other value replaces it. */
export function combineWithDefaultPattern(value: string, defaultPattern: string): readonly string[] {
  return value.startsWith('!') ? [value, defaultPattern] : [value]
}
