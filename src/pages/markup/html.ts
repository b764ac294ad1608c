/** Markup that is safe to insert into a page. Created by the `html` tag, or from constant strings of this code base. */
export class Html {
  readonly #markup: string

  constructor(markup: string) {
    this.#markup = markup
  }

  toString(): string {
    return this.#markup
  }
}

/** A value in a template: text and numbers are escaped, `Html` is kept, arrays are joined, other values render nothing. */
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
  let markup = strings[0] ?? ''
  for (let index = 0; index < values.length; index += 1) markup += render(values[index]) + strings[index + 1]
  return new Html(markup)
}

function render(value: HtmlValue): string {
  if (value === null || value === undefined || typeof value === 'boolean') return ''
  if (value instanceof Html) return value.toString()
  if (typeof value === 'object') return value.map(render).join('')
  const text = String(value)
  // Testing first is cheaper, because most text needs no escaping.
  return SPECIAL.test(text) ? text.replace(ALL_SPECIAL, (character) => ENTITIES[character] ?? '') : text
}
