import { type Html, type HtmlValue, html } from '../markup/html.ts'
import type { EN } from './en.ts'
import type { EN_STATUS } from './en-status.ts'

/** A text for each Unicode plural category of a language. */
export type PluralForms = { readonly other: string } & { readonly [C in Intl.LDMLPluralRule]?: string }

type Translated<T> = T extends string
  ? string
  : T extends { readonly other: string }
    ? PluralForms
    : { readonly [K in keyof T]: Translated<T[K]> }

/** The texts of all pages in one language. `{names}` are placeholders for values. */
export type Messages = Translated<typeof EN>

/** The texts of results, of pages about test clocks and of error pages. */
export type StatusMessages = Pick<Messages, keyof typeof EN_STATUS>

/** The keys of plain texts, without plural forms and groups. */
export type TextKey = { [K in keyof Messages]: Messages[K] extends string ? K : never }[keyof Messages]

const NAME = /\{(\w+)\}/
const ALL_NAMES = new RegExp(NAME, 'g')

const DIGIT = /\u2066[^\u2069]*\u2069|\{\w+\}|\d/g

/** Returns messages with the digits of a language. Text between isolate characters, such as a Latin name, is unchanged. */
export function replaceDigits<T>(messages: T, digits: readonly string[]): T {
  const replace = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replace(DIGIT, (found) => digits[Number(found)] ?? found)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, replace(one)]))
  }
  return replace(messages) as T
}

/** Replaces the placeholders of a message with values. */
export function interpolate(message: string, values: Readonly<Record<string, string | number>>): string {
  // Most messages have no placeholder.
  if (!message.includes('{')) return message
  return message.replace(ALL_NAMES, (_, name: string) => String(values[name] ?? ''))
}

/** Replaces the placeholders of a message with values or markup. Escapes values that are not markup. */
export function interpolateMarkup(message: string, values: Readonly<Record<string, HtmlValue>>): Html {
  const parts = message.split(NAME)
  return html`${parts.map((part, index) => (index % 2 === 0 ? part : values[part]))}`
}
