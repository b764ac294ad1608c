// Matches C0 except tab and newline, DEL, C1, zero-width and bidi controls, invisible fillers and tags, line and
// paragraph separators, and the byte order mark.
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

/**
 * Returns a string that is safe to print in a terminal or log. Characters that move the cursor, or hide, color or
 * reorder text, become visible escapes such as `\u001b`. JSON stays valid with the same meaning.
 */
export function escapeUnsafeCharacters(text: string): string {
  return text.replace(UNSAFE, escapeUnits)
}

function escapeUnits(character: string): string {
  return Array.from({ length: character.length }, (_, unit) => {
    const hex = character.charCodeAt(unit).toString(16)
    return `\\u${hex.padStart(4, '0')}`
  }).join('')
}
