import type { IncomingMessage } from 'node:http'
import { cardSessions, checkoutSessions, paymentSessions } from '../../../api/index.ts'
import { checkAgainstSchema, combineErrors } from '../../../api/schema/validate.ts'
import type { Client } from '../../../client/client.ts'
import { proxyRequest } from '../../../client/proxy-request.ts'
import { runWithTimeout, waitUnlessAborted } from '../../../client/timing.ts'
import * as p from '../../../domain/core/params.ts'
import type { Schema, ValueOf } from '../../../domain/core/schema.ts'
import { getErrorMessage } from '../../errors/error-fields.ts'
import { UsageError } from '../../errors/usage-error.ts'
import type { ShellCommandOptions } from '../../processes/shell-command.ts'
import { listObjects } from '../../request/paginate.ts'
import { readBodyBytes } from '../../webhook-tools/local-server.ts'

/** The sessions whose hosted pages customers complete. */
export const HOSTED_SESSIONS = {
  payment_session: paymentSessions,
  checkout_session: checkoutSessions,
  card_session: cardSessions,
} as const
export type RecordedSessionType = keyof typeof HOSTED_SESSIONS

const TEXT: Schema<string> = { type: 'string' }
const HEADERS: Schema<Readonly<Record<string, string>>> = { type: 'object', additionalProperties: TEXT }
/** A request to the app with its recorded status, or the completion of the newest open session of a type. */
const STEP = p.shape(
  {},
  {
    ...{
      method: TEXT,
      path: TEXT,
      headers: HEADERS,
      body: TEXT,
      status: p.integer({ min: 100, max: 599 }, ''),
    },
    complete: p.choice(['payment_session', 'checkout_session', 'card_session'], ''),
  },
)
export type RecordedStep = ValueOf<typeof STEP>
const FILE = p.shape({ requests: p.list(STEP, 1000, '') }, { $comment: p.list(TEXT, 100, '') })

/** Matches a reference to a value of an earlier response: the number of the step, and the text before the value. */
const REFERENCE = /\{\{(?:run|(\d+)\|(.*?))\}\}/gs
/** Matches a value such as an id or a token. */
export const VALUE = /[\w-]+(?:\.[\w-]+)*/g
const LOCAL_ADDRESS = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?/
const MAX_SESSIONS = 100
/** Maximum number of attempts of a step. A step may fail while the app is starting or has not received its webhooks. */
const MAX_ATTEMPTS = 30
const RETRY_MS = 100
/** The time in which the app receives the webhooks of a completed session before the next request. */
const COMPLETION_PAUSE_MS = 300

/** Returns the steps of a recorded scenario; `file` names it in the error. */
export function parseRecordedScenario(file: string, value: unknown): readonly RecordedStep[] {
  const { valid, errors } = checkAgainstSchema(value, FILE)
  if (valid !== null) return valid.requests
  const { message } = combineErrors(errors, FILE)
  throw new UsageError('file_invalid', `'${file}' is not a valid recording. ${message}`, {
    hint: 'Write {"requests":[{"method":"POST","path":"/buy","body":"…"},{"complete":"payment_session"}]}',
  })
}

/** Returns the text of a response to which references refer: its redirect without a local address, and its body. */
export function toResponseText({ headers }: IncomingMessage, body: Buffer): string {
  return `location: ${headers.location?.replace(LOCAL_ADDRESS, '') ?? ''}\n${body.toString('utf8')}`
}

/** Sends the requests of a recording to the app, with its cookies; resolves with the error, or null if all succeeded. */
export async function replayRecording(
  steps: readonly RecordedStep[],
  client: Client,
  { env, timeoutMs, signal }: ShellCommandOptions,
): Promise<string | null> {
  const replay = async (timeout: AbortSignal) => {
    const isOver = signal === undefined ? timeout : AbortSignal.any([signal, timeout])
    const send = createStepSender(client, env, isOver)
    for (const [index, step] of steps.entries()) {
      let problem = await send(step)
      for (let attempt = 1; problem !== null && attempt < MAX_ATTEMPTS; attempt += 1) {
        await waitUnlessAborted(RETRY_MS, isOver)
        problem = await send(step)
      }
      if (problem !== null) return [`Step ${index + 1} (${describeStep(step)}): ${problem}`]
    }
    return []
  }
  const problems = await runWithTimeout(timeoutMs, replay)
  return problems === null ? `no end within ${timeoutMs / 1000} s` : (problems[0] ?? null)
}

function describeStep({ complete, method = 'GET', path = '/' }: RecordedStep): string {
  return complete === undefined ? `${method} ${path}` : `complete the ${complete.replace('_', ' ')}`
}

function createStepSender(client: Client, env: NodeJS.ProcessEnv, signal: AbortSignal) {
  const appUrl = `http://localhost:${env['PORT']}`
  const run = (env['PAYCLI_API_KEY'] ?? '').slice(-8).toLowerCase()
  const cookies = new Map<string, string>()
  const texts: string[] = []
  const resolve = (text: string) =>
    text.replace(REFERENCE, (_, step?: string, before = '') =>
      step === undefined ? run : readValue(texts[Number(step) - 1] ?? '', before),
    )

  async function sendRequest({
    method = 'GET',
    path = '/',
    headers = {},
    body = '',
    status = 200,
  }: RecordedStep) {
    const given = Object.entries(headers).map(([name, text]) => [name, resolve(text)])
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const origin = method === 'GET' ? {} : { origin: appUrl, referer: `${appUrl}/` }
    const all = { ...Object.fromEntries(given), ...origin, ...(cookie !== '' && { cookie }) }
    const request = { method, url: resolve(path), headers: all, signal }
    const response = await proxyRequest(appUrl, request, Buffer.from(resolve(body)))
    for (const line of response.headers['set-cookie'] ?? []) storeCookie(cookies, line)
    texts.push(toResponseText(response, await readBodyBytes(response)))
    const { statusCode = 502 } = response
    if (statusCode < 400 === status < 400) return null
    texts.pop()
    return `the response was ${statusCode} instead of ${status}`
  }

  async function completeSession(type: RecordedSessionType): Promise<string | null> {
    const { list, complete } = HOSTED_SESSIONS[type]
    const { found } = await listObjects(client, list, {}, MAX_SESSIONS)
    const open = found.find((one) => one.status === 'open')
    if (open === undefined) return 'the app created no session'
    await client.call(complete, { id: open.id, test_card: 'visa' })
    texts.push('')
    await waitUnlessAborted(COMPLETION_PAUSE_MS, signal)
    return null
  }

  return async (step: RecordedStep): Promise<string | null> => {
    try {
      return await (step.complete === undefined ? sendRequest(step) : completeSession(step.complete))
    } catch (error) {
      signal.throwIfAborted()
      return getErrorMessage(error)
    }
  }
}

function readValue(text: string, before: string): string {
  const start = text.indexOf(before)
  VALUE.lastIndex = start + before.length
  const found = start < 0 ? null : VALUE.exec(text)
  VALUE.lastIndex = 0
  if (found?.index === start + before.length) return found[0]
  throw new Error(`an earlier response no longer contains a value after '${before}'`)
}

function storeCookie(cookies: Map<string, string>, line: string): void {
  const [, name = '', value = ''] = /^([^=;]+)=([^;]*)/.exec(line) ?? []
  if (/;\s*max-age=(?:0|-)/i.test(line) || value === '') cookies.delete(name)
  else cookies.set(name, value)
}
