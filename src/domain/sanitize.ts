// C0 but tab and newline, DEL, C1, zero-width and bidi controls, invisible fillers and tags, line and paragraph
// separators, the byte order mark.
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is what it is for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

/**
 * Text that a terminal or a log may show: whatever could move the cursor, hide, colour or turn text around becomes a
 * visible escape such as `\u001b`, which also leaves JSON valid JSON of the same meaning.
 */
export function sanitizeText(text: string): string {
  return text.replace(UNSAFE, escapeUnits)
}

function escapeUnits(character: string): string {
  return Array.from({ length: character.length }, (_, unit) => {
    const hex = character.charCodeAt(unit).toString(16)
    return `\\u${hex.padStart(4, '0')}`
  }).join('')
}
