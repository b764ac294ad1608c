import MiniSearch from 'minisearch'
import type { OpenApiDocument } from '../../api/openapi/openapi.ts'
import { ERROR_DEFINITIONS } from '../../api/schema/errors.ts'
import { createConstantHtml, type Html, html } from '../markup/html.ts'
import type { Guide } from './guides.ts'
import { createReferencePageResponse, type ReferenceResponse, removeFinalPeriod } from './reference-layout.ts'
import {
  getOperationAnchor,
  isEventDelivery,
  listBodyFields,
  listParameters,
  type ReferenceResource,
} from './resource-pages.ts'

interface SearchEntry {
  readonly title: Html
  /** The name of the page that contains the entry, for display. */
  readonly place: string
  readonly url: string
  readonly text: string
}

const MAX_QUERY_CHARACTERS = 100
const MAX_RESULTS = 40
const MAX_WORDS = 10

/** Creates the search over operations, events, errors and the sections of the guides. */
export async function createReferenceSearch(
  document: OpenApiDocument,
  resources: readonly ReferenceResource[],
  guides: readonly Guide[],
): Promise<(query: string) => ReferenceResponse> {
  const entries = [
    ...guides.flatMap(listSections),
    ...resources.flatMap((resource) => listOperations(resource, document)),
    ...Object.entries(ERROR_DEFINITIONS).map(([code, [, , when]]) => ({
      title: html`${code}`,
      place: 'Errors',
      url: `/docs/errors#${code}`,
      text: when,
    })),
  ]
  const index = new MiniSearch({
    fields: ['title', 'place', 'text'],
    tokenize: toWords,
    processTerm: toStem,
    searchOptions: {
      // Prefixes of one character are excluded, because they match a large part of the index.
      prefix: (word) => word.length > 1,
      fuzzy: 0.2,
      boost: { title: 4, place: 2 },
      tokenize: (query) => toWords(query).slice(0, MAX_WORDS),
    },
  })
  // Add the entries in small steps, because adding all entries together would block the event loop for too long.
  await index.addAllAsync(entries.map((entry, id) => ({ ...entry, title: toText(entry.title), id })))
  return (text) => {
    const query = text.slice(0, MAX_QUERY_CHARACTERS)
    const strict = index.search(query, { combineWith: 'AND' })
    const found = strict.length > 0 ? strict : index.search(query)
    return renderResults(
      query,
      found.slice(0, MAX_RESULTS).flatMap(({ id }) => entries[id] ?? []),
    )
  }
}

function listSections({ name, title, html: markup }: Guide): SearchEntry[] {
  return markup.split(/(?=<h[23] id=")/).map((part) => {
    const [, anchor, heading] = /^<h[23] id="(.*?)">(.*?)<\/h/.exec(part) ?? []
    const url = `/docs/guides/${name}${anchor === undefined ? '' : `#${anchor}`}`
    return {
      title: heading ? createConstantHtml(heading) : html`${title}`,
      place: title,
      url,
      text: toText(part),
    }
  })
}

function listOperations(
  { name, title, operations }: ReferenceResource,
  document: OpenApiDocument,
): SearchEntry[] {
  return operations.map((located) => {
    const { method, path, operation } = located
    const { summary, description } = operation
    const fields = [
      ...listParameters(operation, document),
      ...(isEventDelivery(located) ? [] : listBodyFields(operation, document)),
    ]
    return {
      title: html`${isEventDelivery(located) ? path : removeFinalPeriod(summary)}`,
      place: isEventDelivery(located) ? title : `${title}: ${method.toUpperCase()} ${path}`,
      url: `/docs/api/${name}#${getOperationAnchor(located)}`,
      text: [summary, description, ...fields.map((field) => field.name)].join(' '),
    }
  })
}

/** Returns the text of markup without tags and character references. */
function toText(markup: Html | string): string {
  return String(markup).replace(/<[^>]*>|&#?\w+;/g, ' ')
}

function toWords(text: string): string[] {
  const words = text
    .replaceAll(/3-D Secure/gi, '3ds 3d secure')
    // Card numbers are printed in groups of digits.
    .replaceAll(/(?<=\d{4}) (?=\d{3})/g, '')
  return words.match(/[\p{L}\p{N}]+/gu) ?? []
}

/** Returns the stem of an English word in lower case. */
function toStem(word: string): string {
  return word
    .toLowerCase()
    .replace(/(?<=.{3})(?:ies|ied)$/, 'y')
    .replace(/(?<=.{3})(?:ing|ed|es|s|e)$/, '')
}

function renderResults(query: string, entries: readonly SearchEntry[]): ReferenceResponse {
  const results = entries.map(
    ({ url, title, place }) => html`<li><a href="${url}">${title}</a> <small>${place}</small></li>\n`,
  )
  const message = toWords(query).length === 0 ? 'Enter words to search for.' : 'Nothing contains these words.'
  const main = html`<section><h1>Search</h1>${results.length === 0 ? html`<p>${message}</p>` : html`<ol class="results">${results}</ol>`}</section>`
  return createReferencePageResponse({
    title: query === '' ? 'Search · paycli' : `${query} · paycli`,
    main,
    query,
  })
}
