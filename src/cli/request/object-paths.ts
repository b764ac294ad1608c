import { Explained } from '../errors/annotated-error.ts'
import { UsageError } from '../errors/usage-error.ts'

/** Where an object is, by how its id begins; a longer beginning stands before one that it begins with. */
const COLLECTIONS: readonly (readonly [prefix: string, path: string])[] = [
  ['cus_', 'customers'],
  ['cks_', 'checkout_sessions'],
  ['py_sess_', 'payment_sessions'],
  ['py_', 'payments'],
  ['pm_', 'payment_methods'],
  ['sub_', 'subscriptions'],
  ['in_', 'invoices'],
  ['re_', 'refunds'],
  ['clock_', 'test_helpers/test_clocks'],
  ['evt_', 'events'],
  ['we_', 'webhook_endpoints'],
  ['whd_', 'webhook_deliveries'],
  ['key_', 'api_keys'],
  ['req_', 'request_logs'],
]

const SEVERAL = 2

/** The answer of the service at a word; when it has nothing there, the error says what could have been typed. */
export async function answerAt(word: string, answer: Promise<object>): Promise<object> {
  try {
    return await answer
  } catch (error) {
    const { ApiError } = await import('../../client/api-error.ts')
    const hint = hintOnWord(word)
    const isNowhere = error instanceof ApiError && error.error.code === 'route_not_found'
    throw isNowhere && hint !== null ? new Explained(error, { hint }) : error
  }
}

// Null for one that there should be.
function hintOnWord(text: string): string | null {
  const [word = ''] = text.split('?')
  const isKnown = isKnownId(word) || COLLECTIONS.some(([, path]) => path === word)
  if (isKnown || word.includes('/')) return null
  const prefixes = COLLECTIONS.slice(0, SEVERAL).map(([prefix]) => `${prefix}…`)
  return `'${word}' is neither an id (${prefixes.join(', ')}) nor a path such as customers or v1/customers`
}

/** Whether text begins as the ids of objects that the API has. */
export function isKnownId(text: string): boolean {
  return COLLECTIONS.some(([prefix]) => text.startsWith(prefix))
}

/** A path of the API and what its query says. */
export interface Target {
  readonly path: string
  /** Parameters as `-d` writes them. */
  readonly data: readonly string[]
}

/** The target of an id such as `in_…`, of what belongs to it (`in_…/pay`), or of a path with or without /v1. */
export function targetOf(text: string): Target {
  const [before = '', query = ''] = text.split(/\?(.*)/s)
  const words = before.replace(/^\/?(?:v1\/)?/, '')
  const collection = COLLECTIONS.find(([prefix]) => words.startsWith(prefix))?.[1]
  const path = `/v1/${collection === undefined ? '' : `${collection}/`}${words}`
  if (words !== '' && /^[\w/.-]+$/.test(words) && !words.split('/').includes('..')) {
    return { path, data: [...new URLSearchParams(query)].map((pair) => pair.join('=')) }
  }
  throw new UsageError('argument_invalid', `'${text}' is no id and no path.`, {
    hint: 'Give an id such as cus_4bT9…, or a path such as /v1/customers or invoices/in_4bT9…/pay.',
  })
}
