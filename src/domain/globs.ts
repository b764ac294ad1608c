/**
 * Returns whether a text matches a glob, in which `*` stands for any text and everything else for itself. Each part between
 * two `*` is looked for once, so the time does not explode with their number as that of a regular expression does.
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
