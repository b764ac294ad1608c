import { flagOf, isOpposite } from '../parse/flag-names.ts'

/** The command topic of each collection of the API, by its path. */
const TOPICS: Readonly<Record<string, string>> = {
  customers: 'customers',
  checkout_sessions: 'checkout',
  payment_sessions: 'payments',
  subscriptions: 'subscriptions',
  invoices: 'invoices',
  refunds: 'refunds',
  'test_helpers/test_clocks': 'clock',
  events: 'events',
  webhook_endpoints: 'webhooks endpoints',
  webhook_deliveries: 'webhooks deliveries',
  request_logs: 'logs',
  api_keys: 'keys',
}

/** Routes whose command is not called like them. */
const OTHERS: Readonly<Record<string, string>> = {
  'DELETE subscriptions/:id': 'subscriptions cancel',
  'DELETE api_keys/:id': 'keys revoke',
  'GET payments': 'payments attempts',
  'GET payments/:id': 'payments attempt',
  'GET customers/:id/payment_methods': 'cards list',
  'GET payment_methods/:id': 'cards retrieve',
  'POST payment_methods/:id/detach': 'cards detach',
  'GET test_helpers/test_clocks/:id': 'clock show',
  'POST test_helpers/checkout_sessions/:id/complete': 'checkout complete',
  'POST test_helpers/payment_sessions/:id/complete': 'payments complete',
}

const VERBS: Readonly<Record<string, readonly [ofAll: string | null, ofOne: string]>> = {
  GET: ['list', 'retrieve'],
  POST: ['create', 'update'],
  DELETE: [null, 'delete'],
}

/** A route, perhaps with a body of plain values; one that is only an example of a path is none to be carried out. */
const ROUTE =
  /(?<!such as )\b((?:GET|POST|DELETE) \/v1\/(?:test_helpers\/)?[a-z_]+(?:\/[A-Za-z0-9_:]+){0,2})(?: with (\{(?:,?"[a-z_]+":(?:"[\w.-]+"|\d+|true|false))+\}))?/g
const PARTS = /^([A-Z]+) \/v1\/((?:test_helpers\/)?[a-z_]+)(?:\/([A-Za-z0-9_:]+))?(?:\/([a-z_]+))?$/

/** A message of the service with commands in place of the routes that it names. */
export function inCommandWords(message: string): string {
  return message.replace(ROUTE, (whole: string, route: string, body: string | undefined) => {
    const command = commandFor(route)
    if (command === null) return whole
    return [command, ...(body === undefined ? [] : flagsOfBody(body))].join(' ')
  })
}

function flagsOfBody(body: string): string[] {
  const fields: object = JSON.parse(body)
  return Object.entries(fields).map(([name, value]) => {
    const flag = flagOf(name)
    if (typeof value !== 'boolean') return `--${flag} ${value}`
    return value === isOpposite(flag) ? `--no-${flag}` : `--${flag}`
  })
}

/** The command line that does what a route does, such as `paycli customers list`; null without one. */
export function commandFor(route: string): string | null {
  const [, method = '', collection = '', id, verb] = PARTS.exec(route) ?? []
  const command = nameFor(method, collection, { hasId: id !== undefined, verb })
  if (command === null) return null
  return ['paycli', command, ...(id === undefined ? [] : [id === ':id' ? '<id>' : id])].join(' ')
}

interface Rest {
  readonly hasId: boolean
  readonly verb: string | undefined
}

function nameFor(method: string, collection: string, { hasId, verb }: Rest): string | null {
  const path = [collection, ...(hasId ? [':id'] : []), ...(verb === undefined ? [] : [verb])].join('/')
  const other = OTHERS[`${method} ${path}`]
  if (other !== undefined) return other
  const topic = TOPICS[collection]
  if (topic === undefined) return null
  if (verb !== undefined) return `${topic} ${verb.replaceAll('_', '-')}`
  const [ofAll = null, ofOne = null] = VERBS[method] ?? []
  const name = hasId ? ofOne : ofAll
  return name === null ? null : `${topic} ${name}`
}
