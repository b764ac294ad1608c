import { RESOURCES } from '../../api/resources/catalog.ts'
import { flagOf, isNegatedFlag } from '../parse/flag-names.ts'

/** Commands that are not named after their route. */
const IRREGULAR_COMMANDS: Readonly<Record<string, string>> = {
  'DELETE api_keys/:id': 'keys revoke',
  'DELETE subscriptions/:id': 'subscriptions cancel',
  'GET payments': 'payments attempts',
  'GET payments/:id': 'payments attempt',
  'GET customers/:id/payment_methods': 'cards list',
  'GET test_helpers/test_clocks/:id': 'clock show',
}

const VERBS: Readonly<Record<string, readonly [onList: string | null, onObject: string]>> = {
  GET: ['list', 'retrieve'],
  POST: ['create', 'update'],
  DELETE: [null, 'delete'],
}

/** A route with an optional body of plain values; "such as" marks one that only shows the form of a path. */
const ROUTE =
  /(?<!such as )\b((?:GET|POST|DELETE) \/v1\/(?:test_helpers\/)?[a-z_]+(?:\/[A-Za-z0-9_:]+){0,2})(?: with (\{(?:,?"[a-z_]+":(?:"[\w.-]+"|\d+|true|false))+\}))?/g
const PARTS = /^([A-Z]+) \/v1\/((?:test_helpers\/)?[a-z_]+)(?:\/([A-Za-z0-9_:]+))?(?:\/([a-z_]+))?$/

/** Returns an API error message with commands in place of the routes in it. */
export function replaceRoutes(message: string): string {
  return message.replace(ROUTE, (match: string, route: string, body: string | undefined) => {
    const command = commandForRoute(route)
    if (command === null) return match
    return [command, ...(body === undefined ? [] : flagsOfBody(body))].join(' ')
  })
}

function flagsOfBody(body: string): string[] {
  const fields: object = JSON.parse(body)
  return Object.entries(fields).map(([name, value]) => {
    const flag = flagOf(name)
    if (typeof value !== 'boolean') return `--${flag} ${value}`
    return value === isNegatedFlag(flag) ? `--no-${flag}` : `--${flag}`
  })
}

/** Returns the command line that calls a route, such as `paycli customers list`, or null without one. */
export function commandForRoute(route: string): string | null {
  const [, method = '', path = '', id, action] = PARTS.exec(route) ?? []
  const command = commandName(method, path, id !== undefined, action)
  if (command === null) return null
  return ['paycli', command, ...(id === undefined ? [] : [id === ':id' ? '<id>' : id])].join(' ')
}

function commandName(
  method: string,
  path: string,
  hasId: boolean,
  action: string | undefined,
): string | null {
  const route = [path, ...(hasId ? [':id'] : []), ...(action === undefined ? [] : [action])].join('/')
  const irregular = IRREGULAR_COMMANDS[`${method} ${route}`]
  if (irregular !== undefined) return irregular
  const topic = topicOf(path)
  if (topic === undefined) return null
  if (action !== undefined) return `${topic} ${action.replaceAll('_', '-')}`
  const [onList = null, onObject = null] = VERBS[method] ?? []
  const verb = hasId ? onObject : onList
  return verb === null ? null : `${topic} ${verb}`
}

// The test helpers of a resource, such as /v1/test_helpers/payment_sessions, are commands of its topic.
function topicOf(path: string): string | undefined {
  const name = path.replace(/^test_helpers\//, '')
  return RESOURCES.find((resource) => resource.name === name)?.topic
}
