/** A piece of markup: a string, or the bytes of `createConstantHtml`, which are encoded only once. */
type Piece = string | Buffer

/**
 * Markup that is safe to insert into a page. Only the `html` tag and constant strings of this code base create such
 * markup.
 */
export class Html {
  readonly #pieces: readonly Piece[]

  constructor(pieces: readonly Piece[]) {
    this.#pieces = pieces
  }

  toString(): string {
    return this.#pieces.join('')
  }

  /** Returns the markup in UTF-8. */
  encode(): Buffer {
    return Buffer.concat(
      this.#pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)),
    )
  }

  /** Appends the pieces of this markup to `pieces`. */
  appendTo(pieces: Piece[]): void {
    for (const piece of this.#pieces) append(pieces, piece)
  }
}

/**
 * A value in a template. Strings and numbers are escaped, arrays are joined, and null, undefined and booleans render
 * nothing.
 */
export type HtmlValue = Html | string | number | null | undefined | boolean | readonly HtmlValue[]

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
}

const SPECIAL = /[&<>"'`]/
const ALL_SPECIAL = new RegExp(SPECIAL, 'g')

/** Inserts values into markup. Escapes every value that is not `Html`, for text and for quoted attribute values. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const pieces: Piece[] = [strings[0] ?? '']
  for (let index = 0; index < values.length; index += 1) {
    render(pieces, values[index])
    append(pieces, strings[index + 1] ?? '')
  }
  return new Html(pieces)
}

/** Returns constant markup, which is encoded only once. A string is not escaped. */
export function createConstantHtml(markup: Html | string): Html {
  return new Html([Buffer.from(String(markup))])
}

/** Returns the text of a value without its tags. */
export function toText(value: HtmlValue): string {
  return Object.entries(ENTITIES).reduceRight(
    (text, [character, entity]) => text.replaceAll(entity, character),
    String(html`${value}`).replace(/<[^>]*>/g, ''),
  )
}

/** Isolates the writing direction of text from a merchant or customer. */
export function isolateTextDirection(text: string): Html {
  return html`<bdi dir="auto">${text}</bdi>`
}

function append(pieces: Piece[], piece: Piece): void {
  const last = pieces.at(-1)
  if (typeof last === 'string' && typeof piece === 'string') pieces[pieces.length - 1] = last + piece
  else pieces.push(piece)
}

function render(pieces: Piece[], value: HtmlValue): void {
  if (value === null || value === undefined || typeof value === 'boolean') return
  if (value instanceof Html) value.appendTo(pieces)
  else if (typeof value === 'object') for (const one of value) render(pieces, one)
  else append(pieces, escapeText(String(value)))
}

function escapeText(text: string): string {
  // The test is cheaper than the replacement, and most strings need no escaping.
  return SPECIAL.test(text) ? text.replace(ALL_SPECIAL, (character) => ENTITIES[character] ?? '') : text
}
