import { proxyRequest } from '../../client/proxy-request.ts'
import { runWithTimeout } from '../../client/timing.ts'
import { isJsonObject, parseJson } from '../../domain/core/json-object.ts'
import { UsageError } from '../errors/usage-error.ts'
import type { ScenarioRun } from '../explore/run/run-context.ts'
import { toSingleLine } from '../output/format-values.ts'
import { runShellCommand } from '../processes/shell-command.ts'
import { readBodyBytes } from '../webhook-tools/local-server.ts'
import type { GradeConfig } from './grade-config.ts'

const TIMEOUT_MS = 10_000

/** The parts of the app's state that paycli can read. */
export const APP_STATE_FIELDS = ['access', 'paid'] as const
export type AppStateField = (typeof APP_STATE_FIELDS)[number]

/** The values of the placeholders of a command or URL; `now` is the time of the test clock in Unix seconds. */
export interface PlaceholderValues extends Readonly<Record<'id' | 'user' | 'email', string>> {
  readonly now: number
}

/** The output of the app, and the HTTP status; the status is null for a command. */
export interface AppResponse {
  readonly text: string
  readonly status: number | null
}

/** Returns a text with the values of its placeholders. */
export function replacePlaceholders(text: string, { id, user, email, now }: PlaceholderValues): string {
  const values: Readonly<Record<string, string>> = { customer: id, user, email, now: String(now) }
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}

/** Requests a URL or a path of the app, or runs a shell command. */
export async function requestAppState(
  run: ScenarioRun,
  template: string,
  placeholders: PlaceholderValues,
  isPost = false,
): Promise<AppResponse> {
  const target = replacePlaceholders(template, placeholders)
  if (!/^(?:\/|https?:)/.test(target)) {
    const { stdout, problem, output } = await runShellCommand(target, run.shell)
    return problem === null ? { text: stdout, status: null } : { text: `${problem} ${output}`, status: null }
  }
  const { origin, pathname, search } = new URL(target, run.setup.appUrl)
  const body = Buffer.from(
    isPost ? JSON.stringify({ user: placeholders.user, email: placeholders.email }) : '',
  )
  const headers = { 'content-type': 'application/json', 'content-length': String(body.length) }
  const request = { method: isPost ? 'POST' : 'GET', url: pathname + search, headers: isPost ? headers : {} }
  const send = async (timeout: AbortSignal): Promise<AppResponse> => {
    const signal = AbortSignal.any([run.signal, timeout])
    const response = await proxyRequest(origin, { ...request, signal }, body)
    return { text: (await readBodyBytes(response)).toString('utf8'), status: response.statusCode ?? null }
  }
  try {
    const response = await runWithTimeout(TIMEOUT_MS, send)
    return response ?? { text: `no response within ${TIMEOUT_MS / 1000} s`, status: null }
  } catch (error) {
    run.signal.throwIfAborted()
    return { text: String(error), status: null }
  }
}

/** Returns the response of the app about a customer, and its value; null if the value is unclear. */
export async function readAppStateField(
  run: ScenarioRun,
  field: AppStateField,
  config: GradeConfig,
  placeholders: PlaceholderValues,
) {
  const response = await requestAppState(run, config[field] ?? '', placeholders)
  return { response, value: field === 'access' ? parseAccess(response) : parsePaidAmount(response) }
}

/** Returns the configured parts of the app's state; null for an unclear response. */
export async function readAppStateFields(
  run: ScenarioRun,
  config: GradeConfig,
  placeholders: PlaceholderValues,
) {
  const values: Partial<Record<AppStateField, boolean | number | null>> = {}
  const fields = APP_STATE_FIELDS.filter((name) => config[name] !== undefined)
  await Promise.all(
    fields.map(async (name) => {
      values[name] = (await readAppStateField(run, name, config, placeholders)).value
    }),
  )
  return values
}

const NO_ACCESS: ReadonlySet<number | null> = new Set([401, 402, 403, 404])
const YES = /^(?:true|t|1|yes|active|granted)$/i
const NO = /^(?:false|f|0|no|inactive|none|denied|null)$/i

/** Returns whether the app gives access; null if the response is unclear. */
export function parseAccess({ text, status }: AppResponse): boolean | null {
  if (NO_ACCESS.has(status)) return false
  if (status !== null && status >= 300) return null
  const value = scalarOf(text, ['access', 'active', 'allowed', 'has_access', 'hasAccess'])
  if (YES.test(value)) return true
  // A page without a clear value is shown only to customers with access.
  if (status !== null && !NO.test(value)) return true
  // The output of a command that fails is often empty.
  return NO.test(value) ? false : null
}

/** Returns the paid amount in the state of the app; null if the response is not a number. */
export function parsePaidAmount({ text, status }: AppResponse): number | null {
  if (status === 404) return 0
  if (status !== null && status >= 300) return null
  const value = scalarOf(text, ['paid', 'amount', 'total', 'balance'])
  return value !== '' && Number.isFinite(Number(value)) ? Number(value) : null
}

function scalarOf(text: string, names: readonly string[]): string {
  const parsed = parseJson(text.trim())
  if (!isJsonObject(parsed)) return typeof parsed === 'string' ? parsed : text.trim()
  const name = names.find((one) => one in parsed)
  return name === undefined ? text : String(parsed[name])
}

/** Describes an unclear response and the expected value. */
export function describeAppResponse(field: AppStateField, { text, status }: AppResponse) {
  const given = `${status === null ? '' : `${status} `}${toSingleLine(text.trim()).slice(0, 100)}`.trim()
  const expected =
    field === 'paid' ? 'an integer in minor units, such as 1499' : 'true or false, or 401, 402, 403 or 404'
  return { given, expected }
}

/** Advice for SQL: print a value for each customer, because a query without a row prints nothing. */
const SQL_HINTS: Readonly<Record<AppStateField, string>> = {
  access: "In SQL: select exists (select 1 from … where customer = '{customer}').",
  paid: "In SQL: select coalesce(sum(…), 0) from … where customer = '{customer}'.",
}

/** Creates the error for a field without any clear response. */
export function createUnclearResponseError(field: AppStateField, response: AppResponse): UsageError {
  const { given, expected } = describeAppResponse(field, response)
  return new UsageError(
    'config_invalid',
    `--${field} printed ${given === '' ? 'nothing' : `'${given}'`}: expected ${expected}.`,
    {
      param: field,
      hint: `${SQL_HINTS[field]} Commands run with sh -c, and the port of the app is in $PORT. {customer} is replaced with the id of the customer.`,
    },
  )
}
