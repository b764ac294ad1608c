import { findResourceOfId, getResource, RESOURCES } from '../../api/resources/catalog.ts'
import { AnnotatedError } from '../errors/annotated-error.ts'
import { UsageError } from '../errors/usage-error.ts'

/** Resolves with the response to a request; adds a hint to the error when the target has no route. */
export async function addUnknownTargetHint(target: string, response: Promise<object>): Promise<object> {
  try {
    return await response
  } catch (error) {
    const { ApiError } = await import('../../client/api-error.ts')
    const hint = hintOn(target)
    const isUnknownRoute =
      error instanceof ApiError && error.error.code === 'route_not_found' && error.error.suggestion === null
    const [, prefix] = /^((?:[a-z]+_)+)(?=[a-z]*[A-Z0-9])\w+$/.exec(target) ?? []
    if (isUnknownRoute && prefix !== undefined && findResourceOfId(target) === undefined)
      throw new UsageError('argument_invalid', `No id of an object starts with '${prefix}'.`, {
        hint: `Ids of payments start with ${getResource('payments').idPrefix}, ids of customers with ${getResource('customers').idPrefix}`,
      })
    throw isUnknownRoute && hint !== null ? new AnnotatedError(error, { hint }) : error
  }
}

function hintOn(target: string): string | null {
  const [word = ''] = target.split('?')
  const isKnown = findResourceOfId(word) !== undefined || RESOURCES.some(({ path }) => path === word)
  if (isKnown || word.includes('/')) return null
  const prefixes = RESOURCES.slice(0, 2).map(({ idPrefix }) => `${idPrefix}…`)
  return `'${word}' is neither an id (${prefixes.join(', ')}) nor a path such as customers or v1/customers`
}

/** The paths of a server that are not below /v1. */
const SERVICE_PATHS: readonly string[] = ['/healthz', '/readyz', '/openapi.json']

/**
 * Returns the API path of an id such as `in_…`, of an id with an action (`in_…/pay`), or of a path with or without /v1.
 * `data` has the query parameters in the format of `-d`, such as `limit=10`.
 */
export function parseRequestTarget(text: string): {
  readonly path: string
  readonly data: readonly string[]
} {
  const [before = '', query = ''] = text.split(/\?(.*)/s)
  if (SERVICE_PATHS.includes(before)) return { path: before, data: [] }
  const words = before.replace(/^\/?(?:v1\/)?/, '')
  const resource = findResourceOfId(words)
  const path = `/v1/${resource === undefined ? '' : `${resource.path}/`}${words}`
  if (words !== '' && /^[\w/.-]+$/.test(words) && !words.split('/').includes('..')) {
    return { path, data: [...new URLSearchParams(query)].map((pair) => pair.join('=')) }
  }
  throw new UsageError('argument_invalid', `Invalid target '${text}': expected an object id or a path.`, {
    hint: 'Give an id such as cus_4bT9… or a path such as /v1/customers or invoices/in_4bT9…/pay.',
  })
}
