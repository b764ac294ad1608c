import {
  findResourceByObjectName,
  findResourceOfId,
  RESOURCES,
  type ResourceKind,
} from '../../api/resources/catalog.ts'
import { findNearestName } from '../../api/schema/spelling.ts'
import type { ApiErrorDetails } from '../../client/api-error.ts'
import { EVENT_TYPES } from '../../domain/core/event-types.ts'
import { isJsonObject } from '../../domain/core/json-object.ts'
import { quoteForShell } from '../../domain/text/shell-quote.ts'
import { findFieldValue } from '../../presentation/field-values.ts'
import { findParamFlag } from '../parse/flag-names.ts'

const MINOR_UNITS = 'Amounts are in minor units: for 12.50 EUR use 1250.'
/** The resources whose lists have the filter `--customer`. */
const OF_CUSTOMER: readonly string[] = [
  ...['subscriptions', 'payments', 'invoices', 'invoice_items', 'disputes'],
  ...['payment_sessions', 'checkout_sessions', 'card_sessions', 'portal_sessions'],
]
const NEW_CUSTOMER =
  'Create a new customer: paycli customers create --email <address> --test-clock <test-clock>'

const HINTS_BY_CODE: Readonly<Record<string, string>> = {
  insufficient_scope:
    'Set another key with --api-key or PAYCLI_API_KEY. See the scopes: paycli keys create --help',
  sandbox_key_not_allowed: 'To use the key of the default sandbox, add --sandbox default.',
  host_not_allowed: 'Use the host name with which the server was started, such as http://127.0.0.1:4100.',
  card_number_missing: 'Use a test card, such as --card visa.',
  payment_not_refundable: 'List refundable payments: paycli payments list --status succeeded',
  payment_already_refunded: 'List the refunds of the payment: paycli refunds list --payment <id>',
  payment_disputed: 'List the disputes of the payment: paycli disputes list --payment <id>',
  dispute_unexpected_state: 'See the status of the dispute: paycli disputes retrieve <id>',
  payment_processing:
    'The issuer has not decided yet. Try again in a moment; a debit has its outcome after days.',
  customer_has_clock: NEW_CUSTOMER,
  customer_has_objects: NEW_CUSTOMER,
  test_clock_not_forward: 'Advance the clock from its current time, such as paycli clock advance <clock> 1d',
  test_clock_too_far: 'Advance the clock in several steps, such as paycli clock advance <clock> 10y',
  test_clock_advancing: 'See the progress of the clock: paycli clock retrieve <clock>',
  test_clock_failed:
    'See the cause in the log of paycli serve. To remove the clock, run paycli clock delete <clock>',
  idempotency_key_in_use: 'The same request is still running. Try again in a moment.',
  idempotency_limit_reached:
    'The command line sends a key with every POST. Wait, or start a server with another database.',
  idempotency_key_reused: 'Omit --idempotency-key for a new key, or repeat the same command.',
  route_not_found: 'The server may be older than this command, or the path of --api-base may be wrong.',
  internal_error: 'Find the request id in the log of paycli serve for details.',
  unavailable: 'See the status of the server: paycli status',
  webhook_endpoint_disabled: 'Enable the endpoint: paycli webhooks endpoints update <id> --status enabled',
  inquiry_limit: 'Close an inquiry: paycli disputes close <id>',
  invoice_item_limit: 'Delete an item: paycli invoice-items delete <item>',
  sandbox_quota_exceeded:
    'Use --sandbox default, which has no such limit, or raise --max-sandbox-… of the server. To delete a sandbox: paycli sandboxes delete <id>',
  webhook_endpoint_limit: 'Delete an endpoint: paycli webhooks endpoints delete <endpoint>',
}

/** Matches an id that a message quotes. Field names, which messages also quote, are lower case. */
const QUOTED_ID = /'((?:[a-z]+_)+(?=[a-z]*[A-Z0-9])[A-Za-z0-9]+)'/

/** Returns the hint with the id from the message, so that the user can copy the command. */
function fillId(hint: string, message: string): string {
  const [, id] = QUOTED_ID.exec(message) ?? []
  return id === undefined ? hint : hint.replace(/<(?:id|clock)>/, id)
}

/** The command whose request failed. */
interface FailedCommand {
  /** The names of the flags that set parameters. */
  readonly flags: readonly string[]
  /** Returns the command of another topic, such as `payment-sessions`, for an id; null without such a command. */
  readonly findCommandOf?: ((topic: string, id: string) => string | null) | undefined
}

/** Returns a hint for fixing an API error on the command line, or null when the message is sufficient. */
export function findErrorHint(error: ApiErrorDetails, failed: FailedCommand): string | null {
  const { flags } = failed
  const eventType = findNearestEventType(error.message)
  if (eventType !== null) return `Did you mean ${eventType}?`
  const { code, type, suggestion, message } = error
  if (suggestion !== null && !message.includes(suggestion)) return `Did you mean '${suggestion}'?`
  const [, apiUrl] = /^This is the address of the hosted pages\..* (http\S+)\.$/.exec(message) ?? []
  if (apiUrl !== undefined) return `Use --api-base ${apiUrl}`
  if (suggestion !== null && code === 'route_not_found') return null
  const { topic } = findResourceByObjectName(code.replace(/_unexpected_state$/, '')) ?? {}
  const hint = topic === undefined ? HINTS_BY_CODE[code] : `See its status: paycli ${topic} retrieve <id>`
  if (hint !== undefined) return message.includes('paycli ') ? null : fillId(hint, message)
  if (code === 'payment_method_missing') {
    const customer = QUOTED_ID.exec(message)?.[1] ?? '<customer>'
    return `${chooseCardHint('Choose a card', customer, flags)} Save one: paycli cards update ${customer}`
  }
  if (type === 'card_error') return cardHint(error, flags)
  const missing = code === 'resource_missing' ? listHint(error, failed) : null
  const wait = type === 'rate_limit_error' ? 'Wait a moment and try again.' : null
  return missing ?? flagHint(error, flags) ?? wait
}

/**
 * Returns a hint about the missing input of a command, with the first example of the command; null without an example.
 * The id in the example names the resource.
 */
export function formatMissingInputHint(message: string, example: string | undefined): string | null {
  if (example === undefined) return null
  const resource = findResourceOfId(/\b(?:[a-z]+_)+(?=4bT9…)/.exec(example)?.[0] ?? '')
  const command = `For instance: ${example}`
  if (resource === undefined) return command
  if (message.includes('--customer'))
    return `Create a customer: paycli customers create --email ada@example.com. ${command}`
  if (!/\bid\b/.test(message) && !message.includes(resource.object)) return command
  return `List the ${resource.name.replaceAll('_', ' ')}: ${listCommand(resource)}. ${command}`
}

// The given id may belong to another resource.
function listHint({ param, message }: ApiErrorDetails, { findCommandOf }: FailedCommand): string | null {
  const [, missing = param, id] = /^No such (\w+)(?:: '([^']*)')?/.exec(message) ?? []
  const resource = RESOURCES.find(({ object }) => object === missing)
  if (resource === undefined) return null
  const owner = id === undefined ? undefined : findResourceOfId(id)
  if (owner !== undefined && owner.name !== resource.name) {
    const fitting = findCommandOf?.(owner.topic, String(id))
    const expected = `Give an id that starts with ${resource.idPrefix}. `
    const other =
      owner.object === 'customer' && OF_CUSTOMER.includes(resource.name)
        ? `List the ${resource.name.replaceAll('_', ' ')} of the customer: paycli ${resource.topic} list --customer ${id}`
        : param === null || param === 'id'
          ? `See the object: paycli get ${id}`
          : `List the ${resource.name.replaceAll('_', ' ')}: ${listCommand(resource)}`
    const advice = fitting ? `Use: ${fitting}` : expected + other
    return `Ids that start with ${owner.idPrefix} belong to ${owner.name.replaceAll('_', ' ')}. ${advice}`
  }
  const shape =
    id === undefined || owner !== undefined ? '' : `Give an id that starts with ${resource.idPrefix}. `
  const email = resource.object === 'customer' && id?.includes('@') ? ` --email ${quoteForShell(id)}` : ''
  return `${shape}List them: ${listCommand(resource)}${email}`
}

function listCommand({ name, topic }: ResourceKind): string {
  return `paycli ${topic} list${name === 'payment_methods' ? ' <customer>' : ''}`
}

function flagHint({ param, errors, message }: ApiErrorDetails, flags: readonly string[]): string | null {
  const flag = param === null ? null : findParamFlag(param, flags)
  if (param === 'limit' && flags.includes('all')) return 'Use --limit 100, or --all for all pages.'
  if (/^amount_too_/.test(errors[0]?.code ?? '')) return MINOR_UNITS
  if (message.startsWith('Missing required parameter') && flag === null)
    return `Add ${errors.map((one) => `-d ${one.param}=…`).join(' ')}`
  const [, example] = /such as '?([\w@./:-]*[\w/])'?\.$/.exec(message) ?? []
  if (param !== null && example !== undefined)
    return `For instance: ${flag === null ? `${param}=` : `--${flag} `}${example}`
  const others = [param, ...errors.map((one) => one.param)].filter((one) => one !== null)
  // A flag that the message names needs no hint.
  const isNamed =
    / Use |, but |expected /.test(message) ||
    others.some((one) => message.includes(one.replace(/[[.].*/, '')))
  const found = isNamed ? [] : others.map((one) => findParamFlag(one, flags)).filter((one) => one !== null)
  return found.length === 0 ? null : `Check ${[...new Set(found)].map((one) => `--${one}`).join(', ')}.`
}

function findNearestEventType(message: string): string | null {
  const [, type] = /^Unknown event type '([^']+)'.* There are /.exec(message) ?? []
  return type === undefined ? null : findNearestName(type, EVENT_TYPES)
}

/** Returns a message of the API in terms of the command line: flags instead of parameters, and resources in words. */
export function toCommandLineTerms(message: string, param: string | null, flags: readonly string[]): string {
  const flag = param === null ? null : findParamFlag(param, flags)
  const text = message
    .replace(/(?<=^(?:No such|Cannot \w+) )[a-z]+_[a-z_]+/, (object) => object.replaceAll('_', ' '))
    .replace(/\b\d+ \((\d{4}-\d\d-\d\dT[\d:.]+Z)\)/g, '$1')
    .replace(/ There are .*$/s, (list) => (findNearestEventType(message) === null ? list : ''))
    .replace(/\b[a-z]+(?:_[a-z]+)+\b/g, (name) => {
      const own = findParamFlag(name, flags)
      return own === null ? name : `--${own}`
    })
  if (param === null || flag === null) return text
  return text
    .replace(/^\S+(?= (?:must|is|may|'))/, (name) => (name === param ? `--${flag}` : name))
    .replace(/(?<=[.] )(?:Use '([\w-]+)'\.|Did you mean '([^']+)'\?)$/, `Use --${flag} $1$2.`)
}

/** Returns the page on which the cardholder approves the payment, or null when no approval is pending. */
export function findApprovalUrl({ payment }: ApiErrorDetails): string | null {
  const url = findFieldValue({ payment }, 'payment.next_action.redirect_to_url.url')
  return typeof url === 'string' ? url : null
}

function cardHint(error: ApiErrorDetails, flags: readonly string[]): string {
  const url = findApprovalUrl(error)
  const { payment, code } = error
  if (url !== null) {
    const id = findFieldValue({ payment }, 'payment.id')
    const command = typeof id === 'string' ? `, or use paycli payments authenticate ${id}` : ''
    return `The cardholder must approve the payment at ${url}${command}`
  }
  const isSavedCard =
    isJsonObject(payment) && (typeof payment['invoice'] === 'string' || payment['origin'] === 'api')
  if (!isSavedCard) return 'Complete the session again with another test card, such as --card visa.'
  if (code === 'authentication_required') return 'If the customer can authenticate now, add --on-session.'
  return chooseCardHint('Charge another card', String(payment['customer']), flags)
}

function chooseCardHint(advice: string, customer: string, flags: readonly string[]): string {
  const cards = `paycli cards list ${customer}`
  const charge = `${advice} with --payment-method (list them: ${cards})`
  // Only invoices can be paid out of band.
  return flags.includes('paid-out-of-band')
    ? `${charge}, or mark the invoice paid with --paid-out-of-band.`
    : `${charge}.`
}
