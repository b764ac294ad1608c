import { subscriptions } from '../../src/api/operations/subscriptions.ts'
import {
  defineSubscriptionChangeCommand,
  ITEM_CHANGE_HELP,
} from '../../src/cli/command/subscription-change-command.ts'

export default defineSubscriptionChangeCommand(subscriptions.preview, {
  summary: 'Preview the next invoice of a subscription',
  description: `Changes nothing. With the flags of a change, prints the invoice that the change creates immediately, or otherwise the next invoice. ${ITEM_CHANGE_HELP}`,
  examples: [
    'sub_4bT9…',
    "sub_4bT9… --item 'si_4bT9…:amount=2000' --proration-behavior always_invoice",
    'sub_4bT9… --interval year --field amount_due',
  ],
})
