import type { OpenApiDocument } from '../../api/openapi/openapi.ts'
import { ERRORS } from '../../api/schema/errors.ts'
import { html } from '../markup/html.ts'
import type { Guide } from './guides.ts'
import { createReferencePage, type ReferenceResponse, titleOf } from './reference-layout.ts'
import { anchorOf, bodyFieldsOf, isDelivery, parametersOf, type ReferenceResource } from './resource-pages.ts'

/** A part of the documentation that the search finds. */
interface SearchEntry {
  readonly title: string
  /** The page that contains it, for people. */
  readonly place: string
  readonly url: string
  /** The words of the title and of the whole text, each after a space. */
  readonly titleWords: string
  readonly words: string
}

const MAX_QUERY_CHARACTERS = 100
const MAX_RESULTS = 40
const MAX_WORDS = 10
const TITLE_SCORE = 10
const PHRASE_SCORE = 25
const MAX_REPEATS = 3

/** Creates the search over operations, events, errors and the sections of the guides. */
export function createSearch(
  document: OpenApiDocument,
  resources: readonly ReferenceResource[],
  guides: readonly Guide[],
): (query: string) => ReferenceResponse {
  const entries = [
    ...guides.flatMap(listSections),
    ...resources.flatMap((resource) => listOperations(resource, document)),
    ...Object.entries(ERRORS).map(([code, [, , when]]) =>
      createEntry({ title: code, place: 'Errors', url: `/docs/errors#${code}` }, when),
    ),
  ]
  return (query) => renderResults(query.slice(0, MAX_QUERY_CHARACTERS), entries)
}

function createEntry(entry: Pick<SearchEntry, 'title' | 'place' | 'url'>, text: string): SearchEntry {
  return { ...entry, titleWords: toWords(entry.title), words: toWords(`${entry.title} ${text}`) }
}

function listSections({ name, title, html: text }: Guide): SearchEntry[] {
  return text.split(/(?=<h[23] id=")/).map((part) => {
    const [, anchor, heading = ''] = /^<h[23] id="(.*?)">(.*?)<\/h/.exec(part) ?? []
    const url = `/docs/guides/${name}${anchor === undefined ? '' : `#${anchor}`}`
    return createEntry({ title: toText(heading) || title, place: title, url }, toText(part))
  })
}

function listOperations(
  { name, title, operations }: ReferenceResource,
  document: OpenApiDocument,
): SearchEntry[] {
  return operations.map((located) => {
    const { method, path, operation } = located
    const { summary, description } = operation
    const place = isDelivery(located) ? title : `${title}: ${method.toUpperCase()} ${path}`
    const fields = [
      ...parametersOf(operation, document),
      ...(isDelivery(located) ? [] : bodyFieldsOf(operation, document)),
    ]
    return createEntry(
      {
        title: isDelivery(located) ? path : titleOf(summary),
        place,
        url: `/docs/api/${name}#${anchorOf(located)}`,
      },
      [summary, description, path, ...fields.map((field) => field.name)].join(' '),
    )
  })
}

/** Returns the text of HTML that the build created. */
function toText(markup: string): string {
  return markup
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .trim()
}

/** Returns the words of a text in lower case, each after a space. */
function toWords(text: string): string {
  const words = text.toLowerCase().replaceAll('3-d secure', '3ds 3d secure')
  // Card numbers are printed in groups of digits.
  return ` ${words
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/(?<=\d{4}) (?=\d{3})/g, '')
    .trim()}`
}

function renderResults(query: string, entries: readonly SearchEntry[]): ReferenceResponse {
  const patterns = toWords(query)
    .split(' ')
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS)
    .map(toPattern)
  const scored = entries.map((entry) => ({ entry, score: scoreOf(entry, patterns, toWords(query)) }))
  const found = scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_RESULTS)
  const results = found.map(
    ({ entry }) => html`<li><a href="${entry.url}">${entry.title}</a> <small>${entry.place}</small></li>\n`,
  )
  const message = patterns.length === 0 ? 'Enter words to search for.' : 'Nothing contains all these words.'
  const main = html`<section><h1>Search</h1>${found.length === 0 ? html`<p>${message}</p>` : html`<ol class="results">${results}</ol>`}</section>`
  return createReferencePage({ title: query === '' ? 'Search · paycli' : `${query} · paycli`, main, query })
}

/** Returns a pattern of the forms of an English word, at the start of a word. */
function toPattern(word: string): RegExp {
  const stem = word.replace(/(?<=.{3})(?:ing|ed|es|e|s)$/, '').replace(/(?<=.{3})[yi]$/, '(?:y|ies|ied)')
  return new RegExp(` ${stem}`, 'g')
}

/** Returns 0 unless the entry contains every word. The title and the query as a whole count more than single words. */
function scoreOf({ titleWords, words }: SearchEntry, patterns: readonly RegExp[], phrase: string): number {
  const scores = patterns.map((pattern) => {
    const count = words.match(pattern)?.length ?? 0
    return Math.min(count, MAX_REPEATS) + (titleWords.match(pattern) === null ? 0 : TITLE_SCORE)
  })
  const phraseScore = words.includes(phrase) ? PHRASE_SCORE : 0
  return scores.length === 0 || scores.includes(0)
    ? 0
    : scores.reduce((sum, score) => sum + score, phraseScore)
}
