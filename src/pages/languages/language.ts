import { formatAmount, getCurrencyDecimals } from '../../domain/core/currencies.ts'
import type { Html, HtmlValue } from '../markup/html.ts'
import { AR } from './ar.ts'
import { DE } from './de.ts'
import { EN } from './en.ts'
import { ES } from './es.ts'
import { FR } from './fr.ts'
import { JA } from './ja.ts'
import {
  interpolate,
  interpolateMarkup,
  type Messages,
  type PluralForms,
  replaceDigits,
  type TextKey,
} from './messages.ts'
import { PT } from './pt.ts'

type Values = Readonly<Record<string, string | number>>

/** The texts and formats of one language and region. */
export interface Language {
  /** The value of the `lang` attribute, for example `de` or `pt-BR`. */
  readonly tag: string
  readonly direction: 'ltr' | 'rtl'
  readonly messages: Messages
  /** Returns a text with its placeholders filled in. */
  readonly t: (key: TextKey, values?: Values) => string
  /** Like `t`, but values may be markup. */
  readonly tMarkup: (key: TextKey, values: Readonly<Record<string, HtmlValue>>) => Html
  /** Returns the plural form for a number, which replaces `{count}`. */
  readonly plural: (forms: PluralForms, number: number) => string
  /** Formats minor units with the decimals of ISO 4217, for example `€1,200.00`, `¥1,250` or `KWD 1.250`. */
  readonly formatMoney: (amount: number, currency: string) => string
  /** Formats Unix seconds as a UTC date, like billing periods, for example `March 1, 2026`. */
  readonly formatDate: (timestamp: number) => string
  /** Formats a quantity and a price, for example `3 × €15.00`. */
  readonly formatUnits: (quantity: number, price: string) => string
  /** Formats a percentage, for example `7.25%`. */
  readonly formatPercent: (percent: number) => string
  /** Translates an English error message of a domain rule. Returns unknown messages unchanged. */
  readonly translateError: (english: string) => string
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

/** The supported languages. */
export const LANGUAGES: readonly string[] = [...CATALOGUES.keys()]

const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['ar'])
const TAX_DECIMALS = 4
const MAX_CACHED_LANGUAGES = 64
const SPACE = / /g
const NO_BREAK_SPACE = '\u00a0'
const KEY_BY_ENGLISH: ReadonlyMap<string, keyof Messages['errors']> = new Map(
  Object.entries(EN.errors).map(([key, english]) => [english, key as keyof Messages['errors']]),
)
const ACCEPTED = /^\s*([a-z]{2,3})((?:-[a-z0-9]{1,8})*)\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/i

const languages = new Map<string, Language>()

/**
 * Returns the requested language, with the matching region of the `Accept-Language` header (RFC 9110). If no language
 * or an unknown language such as `auto` is requested, returns the best supported language for the header, or English.
 */
export function negotiateLanguage(accepted: string | undefined, requested?: string | null): Language {
  const only = isSupportedLanguage(requested) ? requested : null
  const wanted = (accepted ?? '')
    .split(',')
    .flatMap((part) => {
      const [, language = '', subtags = '', weight = '1'] = ACCEPTED.exec(part) ?? []
      return [{ language: language.toLowerCase(), subtags, weight: Number(weight) }]
    })
    .filter(({ language, weight }) => weight > 0 && CATALOGUES.has(language))
    .filter(({ language }) => only === null || language === only)
    .toSorted((a, b) => b.weight - a.weight)
  const [best] = wanted
  if (best === undefined) return getLanguage(only ?? 'en')
  const [, region] = /-([a-z]{2})(?=-|$)/i.exec(best.subtags) ?? []
  return getLanguage(region === undefined ? best.language : `${best.language}-${region.toUpperCase()}`)
}

/** Returns whether pages exist in a language, for example `de`. */
export function isSupportedLanguage(tag: string | null | undefined): tag is string {
  return CATALOGUES.has(tag ?? '')
}

/** Returns the name of a supported language in that language, for example `Deutsch`. */
export function getLanguageName(tag: string): string {
  return CATALOGUES.get(tag)?.languageName ?? tag
}

/** Caches the result of a function per language. */
export function cachePerLanguage<T>(create: (language: Language) => T): (language: Language) => T {
  const cache = new WeakMap<Language, T>()
  return (language) => {
    const value = cache.get(language) ?? create(language)
    cache.set(language, value)
    return value
  }
}

// Formatters are expensive to create. Their number is limited, because clients choose the region.
function getLanguage(tag: string): Language {
  const cached = languages.get(tag)
  if (cached !== undefined) return cached
  if (languages.size >= MAX_CACHED_LANGUAGES) languages.clear()
  const language = createLanguage(tag)
  languages.set(tag, language)
  return language
}

function createLanguage(tag: string): Language {
  const [base = ''] = tag.split('-')
  const plurals = new Intl.PluralRules(tag)
  const numbers = new Intl.NumberFormat(tag)
  const messages = localizeDigits(numbers, CATALOGUES.get(base) ?? EN)
  return {
    tag,
    direction: RIGHT_TO_LEFT.has(base) ? 'rtl' : 'ltr',
    messages,
    t: (key, values = {}) => interpolate(messages[key], values),
    tMarkup: (key, values) => interpolateMarkup(messages[key], values),
    plural: (forms, number) => {
      // Some languages have a special text for 1, although their plural rules do not distinguish 1.
      const form = number === 1 ? forms.one : forms[plurals.select(number)]
      return interpolate(form ?? forms.other, { count: numbers.format(number) })
    },
    translateError: (english) => {
      const key = KEY_BY_ENGLISH.get(english)
      return key === undefined ? english : messages.errors[key]
    },
    formatUnits: (quantity, price) => `${numbers.format(quantity)} × ${price}`,
    ...createFormatters(tag),
  }
}

// Texts use the digits of the language, like amounts and dates. Inserted card numbers and ids stay unchanged.
function localizeDigits(numbers: Intl.NumberFormat, messages: Messages): Messages {
  const digits = Array.from({ length: 10 }, (_, digit) => numbers.format(digit))
  return digits[0] === '0' ? messages : replaceDigits(messages, digits)
}

function createFormatters(tag: string): Pick<Language, 'formatMoney' | 'formatDate' | 'formatPercent'> {
  const currencies = new Map<string, Intl.NumberFormat>()
  // Cache the last amount, because a page shows the same amount in several places.
  let last = { amount: Number.NaN, currency: '', text: '' }
  // Billing periods follow the Gregorian calendar, even where a region uses another calendar.
  const days = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC', calendar: 'gregory' })
  const percents = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: TAX_DECIMALS })
  return {
    formatMoney(amount, currency) {
      if (amount === last.amount && currency === last.currency) return last.text
      const format = currencies.get(currency) ?? createCurrencyFormat(tag, currency)
      currencies.set(currency, format)
      const [figure = ''] = formatAmount(amount, currency).split(' ')
      const text = format.format(figure as Intl.StringNumericLiteral).replace(SPACE, NO_BREAK_SPACE)
      last = { amount, currency, text }
      return text
    },
    formatDate: (timestamp) => days.format(timestamp * 1000).replace(SPACE, NO_BREAK_SPACE),
    formatPercent: (percent) => percents.format(percent / 100),
  }
}

// For some currencies Intl uses other decimals than ISO 4217, which defines the minor units.
function createCurrencyFormat(tag: string, currency: string): Intl.NumberFormat {
  const decimals = getCurrencyDecimals(currency)
  return new Intl.NumberFormat(tag, {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
}
