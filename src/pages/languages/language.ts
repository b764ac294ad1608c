import { formatAmount, minorUnits } from '../../domain/currencies.ts'
import type { Html, HtmlValue } from '../markup/html.ts'
import { AR } from './ar.ts'
import { DE } from './de.ts'
import { EN } from './en.ts'
import { ES } from './es.ts'
import { FR } from './fr.ts'
import { JA } from './ja.ts'
import { fill, fillMarkup, type Messages, type Plural, type TextKey, withDigits } from './messages.ts'
import { PT } from './pt.ts'

type Values = Readonly<Record<string, string | number>>

/** How a page speaks to one buyer: all text, amounts and days go through it. */
export interface Language {
  /** For `lang`, such as `de` or `pt-BR`. */
  readonly tag: string
  readonly direction: 'ltr' | 'rtl'
  readonly messages: Messages
  readonly say: (key: TextKey, values?: Values) => string
  /** As `say`, with markup among the values. */
  readonly phrase: (key: TextKey, values: Readonly<Record<string, HtmlValue>>) => Html
  /** The form of a message that fits a number, which is its `{count}`. */
  readonly count: (forms: Plural, number: number) => string
  /** Minor units with the decimals of ISO 4217, such as `€1,200.00`, `¥1,250` or `KWD 1.250`. */
  readonly money: (amount: number, currency: string) => string
  /** The day of a moment in Unix seconds, in UTC as billing periods are, such as `March 1, 2026`. */
  readonly day: (timestamp: number) => string
  /** Such as `7.25%`. */
  readonly percent: (percent: number) => string
  /** What a rule said in English; unchanged where the catalogue does not know it. */
  readonly translate: (said: string) => string
}

const CATALOGUES: ReadonlyMap<string, Messages> = new Map<string, Messages>([
  ['en', EN],
  ['de', DE],
  ['fr', FR],
  ['es', ES],
  ['pt', PT],
  ['ja', JA],
  ['ar', AR],
])

/** The languages pages speak. */
export const LANGUAGES: readonly string[] = [...CATALOGUES.keys()]

const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['ar'])
const TAX_DECIMALS = 4
const MAX_REMEMBERED = 64
const SPACE = / /g
const NO_BREAK_SPACE = '\u00a0'
const KEY_BY_ENGLISH: ReadonlyMap<string, keyof Messages['said']> = new Map(
  Object.entries(EN.said).map(([key, english]) => [english, key as keyof Messages['said']]),
)
const ACCEPTED = /^\s*([a-z]{2,3})((?:-[a-z0-9]{1,8})*)\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/i

const remembered = new Map<string, Language>()

/** Chooses by an `Accept-Language` header as RFC 9110 means it; English when it names none of the languages. */
export function chooseLanguage(accepted: string | undefined): Language {
  const wanted = (accepted ?? '')
    .split(',')
    .flatMap((part) => {
      const [, language = '', subtags = '', weight = '1'] = ACCEPTED.exec(part) ?? []
      return [{ language: language.toLowerCase(), subtags, weight: Number(weight) }]
    })
    .filter(({ language, weight }) => weight > 0 && CATALOGUES.has(language))
    .toSorted((a, b) => b.weight - a.weight)
  const [best] = wanted
  if (best === undefined) return languageOf('en')
  const [, region] = /-([a-z]{2})(?=-|$)/i.exec(best.subtags) ?? []
  return languageOf(region === undefined ? best.language : `${best.language}-${region.toUpperCase()}`)
}

/** Makes something once for each language that is spoken. */
export function perLanguage<T>(make: (language: Language) => T): (language: Language) => T {
  const made = new WeakMap<Language, T>()
  return (language) => {
    const known = made.get(language) ?? make(language)
    made.set(language, known)
    return known
  }
}

// Formatters are dear to make, and whoever asks names the region.
function languageOf(tag: string): Language {
  const known = remembered.get(tag)
  if (known !== undefined) return known
  if (remembered.size >= MAX_REMEMBERED) remembered.clear()
  const made = createLanguage(tag)
  remembered.set(tag, made)
  return made
}

function createLanguage(tag: string): Language {
  const [base = ''] = tag.split('-')
  const plurals = new Intl.PluralRules(tag)
  const numbers = new Intl.NumberFormat(tag)
  const messages = inDigitsOf(numbers, CATALOGUES.get(base) ?? EN)
  return {
    tag,
    direction: RIGHT_TO_LEFT.has(base) ? 'rtl' : 'ltr',
    messages,
    say: (key, values = {}) => fill(messages[key], values),
    phrase: (key, values) => fillMarkup(messages[key], values),
    count: (forms, number) => {
      // Languages without a singular may still have a word of their own for one.
      const form = number === 1 ? forms.one : forms[plurals.select(number)]
      return fill(form ?? forms.other, { count: numbers.format(number) })
    },
    translate: (said) => {
      const key = KEY_BY_ENGLISH.get(said)
      return key === undefined ? said : messages.said[key]
    },
    ...formatters(tag),
  }
}

// What a page says of itself has the digits of its amounts and days; what quotes a card or an id has those of the card.
function inDigitsOf(numbers: Intl.NumberFormat, messages: Messages): Messages {
  const digits = Array.from({ length: 10 }, (_, digit) => numbers.format(digit))
  return digits[0] === '0' ? messages : withDigits(messages, digits)
}

function formatters(tag: string): Pick<Language, 'money' | 'day' | 'percent'> {
  const currencies = new Map<string, Intl.NumberFormat>()
  // Periods are counted in the Gregorian calendar, whatever a region uses besides.
  const days = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC', calendar: 'gregory' })
  const percents = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: TAX_DECIMALS })
  return {
    money(amount, currency) {
      const format = currencies.get(currency) ?? currencyFormat(tag, currency)
      currencies.set(currency, format)
      const [figure = ''] = formatAmount(amount, currency).split(' ')
      return format.format(figure as Intl.StringNumericLiteral).replace(SPACE, NO_BREAK_SPACE)
    },
    day: (timestamp) => days.format(timestamp * 1000).replace(SPACE, NO_BREAK_SPACE),
    percent: (percent) => percents.format(percent / 100),
  }
}

// Intl has decimals of its own for some currencies; ISO 4217 is what amounts are counted in.
function currencyFormat(tag: string, currency: string): Intl.NumberFormat {
  const decimals = minorUnits(currency)
  return new Intl.NumberFormat(tag, {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
}
