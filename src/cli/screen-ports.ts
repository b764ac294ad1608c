import { webhookDeliveries } from '../api/webhook-deliveries.ts'
import type { Client } from '../client/client.ts'
import { openInBrowser } from './browser.ts'
import { copyText } from './clipboard.ts'
import { resendEvents } from './resending.ts'
import { listTriggers, trigger } from './trigger.ts'
import { readEdits } from './trigger-overrides.ts'

const ATTEMPTS_SHOWN = 100
const NO_EDITS = readEdits({ override: [], add: [], remove: [] })

/** What the screen of a listener may do besides showing, by the same ways as the commands that do it. */
export function screenPorts(client: Client) {
  return {
    triggers: listTriggers().map(({ type, how }) => ({ type, how })),
    resend: async (ids: readonly string[]) => void (await resendEvents(client, ids, undefined)),
    trigger: async (type: string) => void (await trigger(client, type, { id: undefined, edits: NO_EDITS })),
    copy: (text: string) => copyText(text),
    open: openInBrowser,
    attempts: async (event: string) =>
      (await client.call(webhookDeliveries.list, { event, limit: ATTEMPTS_SHOWN })).data,
  }
}
