/** Markup that is safe to put into a page: the `html` tag makes it, and what is our own from the first to the last byte. */
export class Html {
  readonly #markup: string

  constructor(markup: string) {
    this.#markup = markup
  }

  toString(): string {
    return this.#markup
  }
}

/** What a template takes: text and numbers are escaped, markup stays, lists are joined, the rest is nothing. */
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

/** Fills values into markup. Whatever is no `Html` is escaped, for text and for attribute values in quotes alike. */
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
  // Most text has nothing to escape, and looking is cheaper than replacing nothing.
  return SPECIAL.test(text) ? text.replace(ALL_SPECIAL, (character) => ENTITIES[character] ?? '') : text
}
