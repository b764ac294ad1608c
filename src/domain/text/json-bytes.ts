/** Shorter texts count as one byte per character, because counting their bytes exactly would take most of the time. */
const COUNTED_CHARACTERS = 64
/** The bytes of the quotes and the comma of a string, or of the braces and the comma of an object. */
const PUNCTUATION = 3
const PRIMITIVE_BYTES = 6

/** Returns the approximate number of bytes of a value as JSON text, without creating the text. */
export function estimateJsonBytes(value: unknown): number {
  if (typeof value === 'string') return bytesOf(value) + PUNCTUATION
  if (typeof value !== 'object' || value === null) return PRIMITIVE_BYTES
  let bytes = PUNCTUATION
  if (Array.isArray(value)) {
    for (const element of value) bytes += estimateJsonBytes(element)
    return bytes
  }
  const fields = value as Readonly<Record<string, unknown>>
  for (const name in fields) bytes += name.length + PUNCTUATION + estimateJsonBytes(fields[name])
  return bytes
}

function bytesOf(text: string): number {
  return text.length < COUNTED_CHARACTERS ? text.length : Buffer.byteLength(text)
}
