import { webhookDeliveries } from '../../api/operations/webhook-deliveries.ts'
import { ApiError } from '../../client/api-error.ts'
import type { Client } from '../../client/client.ts'
import { Explained } from '../errors/annotated-error.ts'
import { inCommandWords } from '../output/error-commands.ts'
import { startBrowser } from '../sessions/browser.ts'
import { listTriggers, trigger } from '../trigger/trigger.ts'
import { readEdits } from '../trigger/trigger-overrides.ts'
import { copyText } from './clipboard.ts'
import { resendEvents } from './resending.ts'

const REMEDY = 'Listen with --forward-to, or paycli webhooks endpoints create'
const ATTEMPTS_SHOWN = 100
const NO_EDITS = readEdits({ override: [], add: [], remove: [] })

/** What the screen of a listener may do besides showing, by the same ways as the commands that do it. */
export function screenPorts(client: Client) {
  return {
    triggers: listTriggers().map(({ type, how }) => ({ type, how })),
    resend: (ids: readonly string[]) => inOwnWords(resendEvents(client, ids, undefined)),
    trigger: (type: string) => inOwnWords(trigger(client, type, { id: undefined, edits: NO_EDITS })),
    copy: (text: string) => copyText(text),
    open: openPage,
    attempts: async (event: string) =>
      (await client.call(webhookDeliveries.list, { event, limit: ATTEMPTS_SHOWN })).data,
  }
}

// The address itself is on the screen, and only a note can be told beside it.
async function openPage(url: string): Promise<void> {
  if (!(await startBrowser(url))) throw new Error(`No browser could be opened: ${url}`)
}

// A note has no room for parameters and routes, which nobody can give here.
async function inOwnWords(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    const isExplained = error instanceof Explained
    const note = isExplained ? noteOf(error.reason, error.more.done) : noteOf(error)
    throw new Error(note, { cause: error })
  }
}

// What was done before it is not to be done again.
function noteOf(reason: unknown, done = ''): string {
  if (isUnwanted(reason)) {
    const nobody =
      done === ''
        ? 'Nothing was sent: no enabled endpoint wants it.'
        : `No enabled endpoint wants it. ${done}`
    return `${nobody} ${REMEDY}`
  }
  const message = reason instanceof Error ? reason.message : String(reason)
  return `${reason instanceof ApiError ? inCommandWords(message) : message} ${done}`.trimEnd()
}

function isUnwanted(reason: unknown): boolean {
  if (!(reason instanceof ApiError)) return false
  const { code, param } = reason.error
  return code === 'resource_missing' && param === 'webhook_endpoint'
}
