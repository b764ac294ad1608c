import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { webhookDeliveries } from '../../api/operations/webhook-deliveries.ts'
import { ApiError } from '../../client/api-error.ts'
import type { Client } from '../../client/client.ts'
import { AnnotatedError } from '../errors/annotated-error.ts'
import { getErrorMessage } from '../errors/error-fields.ts'
import { writeToStdout } from '../output/output.ts'
import { tryOpenInBrowser } from '../sessions/browser.ts'
import { listTriggers, triggerEvent } from '../trigger/trigger.ts'
import { resendEvents } from './resend-events.ts'

const CREATE_HINT = 'Listen with --forward-to, or create one: paycli webhooks endpoints create'
const MAX_ATTEMPTS = 100
const PENDING = { status: 'pending', limit: MAX_ATTEMPTS } as const

/** Creates the actions of a listener's screen from the functions of the corresponding commands. */
export function createScreenActions(client: Client) {
  return {
    triggers: listTriggers().map(({ type, how }) => ({ type, how })),
    resend: (ids: readonly string[]) => withNoteError(resendEvents(client, ids, undefined)),
    trigger: (type: string) => withNoteError(triggerEvent(client, type)),
    copy: (text: string) => copyToClipboard(text),
    open: openPage,
    pendingAttempts: async () => (await client.call(webhookDeliveries.list, PENDING)).data,
    attempts: async (event: string) =>
      (await client.call(webhookDeliveries.list, { event, limit: MAX_ATTEMPTS })).data,
  }
}

async function openPage(url: string): Promise<void> {
  if (!(await tryOpenInBrowser(url))) throw new Error(`Cannot open a browser. Open this address: ${url}`)
}

async function withNoteError(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    const isAnnotated = error instanceof AnnotatedError
    const note = isAnnotated ? formatNote(error.originalError, error.annotations.done) : formatNote(error)
    throw new Error(note, { cause: error })
  }
}

// `done` describes the completed actions, which must not be repeated.
function formatNote(error: unknown, done = ''): string {
  if (isNoEndpointError(error)) {
    const problem =
      done === ''
        ? 'Nothing was sent: no enabled endpoint receives this event type.'
        : `No enabled endpoint receives this event type. ${done}`
    return `${problem} ${CREATE_HINT}`
  }
  return `${getErrorMessage(error)} ${done}`.trimEnd()
}

function isNoEndpointError(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  const { code, param } = error.error
  return code === 'resource_missing' && param === 'webhook_endpoint'
}

/** Copies text to the clipboard: with `pbcopy` on macOS, elsewhere with the terminal sequence OSC 52. */
export async function copyToClipboard(
  text: string,
  platform: NodeJS.Platform = process.platform,
): Promise<void> {
  if (platform !== 'darwin') {
    writeToStdout(`\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`)
    return
  }
  const child = spawn('pbcopy', { stdio: ['pipe', 'ignore', 'ignore'] })
  child.stdin.end(text)
  await once(child, 'close')
}
