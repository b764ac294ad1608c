/** A placeholder of `normaliseText`, such as `<cus>` for a customer id. */
const PLACEHOLDER = /<[a-z_]+>/g

const DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)'
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)'
const CLOCK = String.raw`\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?`

/** Timestamps of ISO 8601, SQL, RFC 1123, Date.toString() and date(1), times of day, Unix time from 2017 to 2049. */
const TIMESTAMPS = [
  String.raw`\b\d{4}-\d{2}-\d{2}(?:[T ]${CLOCK}(?: ?(?:Z|UTC|[+-]\d{2}(?::?\d{2})?))?)?`,
  String.raw`\b${DAY}, \d{1,2} ${MONTH} \d{4} ${CLOCK} (?:GMT|UTC|[+-]\d{4})`,
  String.raw`\b${DAY} ${MONTH} +\d{1,2} (?:\d{4} ${CLOCK} GMT[+-]\d{4}(?: \([^)]*\))?|${CLOCK} [A-Z]{2,5} \d{4})`,
  String.raw`\b\d{2}:\d{2}:\d{2}(?:[.,]\d+)?\b`,
  String.raw`\b(?:1[5-9]|2[0-4])\d{8}(?:\d{3})?(?:\.\d+)?\b`,
].map((source) => new RegExp(source, 'g'))

const UUID = /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi
const PREFIXED_ID = /(?<![A-Za-z0-9])([a-z]{2,8}(?:_(?:test|live|sess))?)_([A-Za-z0-9]{8,})(?![A-Za-z0-9])/g
/** Random ids: hexadecimal ids, tokens in mixed case such as nanoids, and long tokens in one case such as ULIDs. */
const TOKENS = [
  /(?<![\w-])(?=\w*\d)(?=\w*[a-f])[0-9a-f]{12,}(?![\w-])/gi,
  /(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{18,}(?![\w-])/g,
  /(?<![\w-])(?=\w*\d)(?=\w*[A-Za-z])[A-Za-z0-9]{20,}(?![\w-])/g,
]
const LONG_NUMBER = /\b\d{15,}\b/g
const LOCAL_PORT = /\b(localhost|127\.0\.0\.1|\[::1\]):\d+/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what the pattern matches
const COLORS = /\u001b\[[0-9;]*m/g

/** Returns a text with placeholders for ids, timestamps and local ports, such as `<cus>`, `<id>`, `<time>` and `<port>`. */
export function normaliseText(text: string): string {
  let result = text.replace(COLORS, '')
  result = result.replace(UUID, '<id>').replace(PREFIXED_ID, replacePrefixedId)
  for (const pattern of TIMESTAMPS) result = result.replace(pattern, '<time>')
  for (const pattern of TOKENS) result = result.replace(pattern, '<id>')
  return result.replace(LONG_NUMBER, '<id>').replace(LOCAL_PORT, '$1:<port>')
}

// Snake case words such as `payment_succeeded` are not ids.
function replacePrefixedId(id: string, prefix: string, rest: string): string {
  const isRandom = /\d/.test(rest) || (/[a-z]/.test(rest) && /[A-Z]/.test(rest.slice(1)))
  return isRandom ? `<${prefix}>` : id
}

/** Returns whether a normalised text consists only of placeholders. */
export function isPlaceholder(normalised: string): boolean {
  return normalised !== '' && normalised.replace(PLACEHOLDER, '').trim() === ''
}

/** Returns whether a number is a Unix time from 2017 to 2049, in seconds or milliseconds. */
export function isUnixTime(value: number): boolean {
  const isWithin = (unit: number) => value >= 1.5e9 * unit && value < 2.5e9 * unit
  return isWithin(1) || isWithin(1000)
}
