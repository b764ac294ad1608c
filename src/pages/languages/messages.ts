import { type Html, type HtmlValue, html } from '../markup/html.ts'
import type { EN } from './en.ts'

/** A text for each plural form of a language, by the categories of Unicode. */
export type Plural = { readonly other: string } & { readonly [C in Intl.LDMLPluralRule]?: string }

type Translated<T> = T extends string
  ? string
  : T extends { readonly other: string }
    ? Plural
    : { readonly [K in keyof T]: Translated<T[K]> }

/** All that pages say, in one language; `{names}` stand for values. */
export type Messages = Translated<typeof EN>

/** The keys of messages that are one text. */
export type TextKey = { [K in keyof Messages]: Messages[K] extends string ? K : never }[keyof Messages]

const NAME = /\{(\w+)\}/

const DIGIT = /\u2066[^\u2069]*\u2069|\{\w+\}|\d/g

/** The same messages with the digits of a language; what is isolated, such as a name in Latin letters, keeps its own. */
export function withDigits<T>(messages: T, digits: readonly string[]): T {
  const changed = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replace(DIGIT, (found) => digits[Number(found)] ?? found)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, changed(one)]))
  }
  return changed(messages) as T
}

/** Puts values in place of the `{names}` of a message. */
export function fill(message: string, values: Readonly<Record<string, string | number>>): string {
  return message.replace(new RegExp(NAME, 'g'), (_, name: string) => String(values[name] ?? ''))
}

/** Puts values and markup in place of the `{names}` of a message; whatever is no markup is escaped. */
export function fillMarkup(message: string, values: Readonly<Record<string, HtmlValue>>): Html {
  const parts = message.split(NAME)
  return html`${parts.map((part, index) => (index % 2 === 0 ? part : values[part]))}`
}
