import { subscriptions } from '../../src/api/operations/subscriptions.ts'
import {
  ITEM_CHANGE_HELP,
  SubscriptionChangeCommand,
  subscriptionChangeFlags,
} from '../../src/cli/command/subscription-change-command.ts'

export default class SubscriptionsPreview extends SubscriptionChangeCommand {
  static override summary = 'Preview the next invoice of a subscription'
  static override description =
    `Changes nothing. Takes the flags of a change and prints the invoice that it creates at once, else the next one. ${ITEM_CHANGE_HELP}`
  static override flags = subscriptionChangeFlags(subscriptions.preview)
  static override examples = [
    '<%= config.bin %> <%= command.id %> sub_4bT9…',
    "<%= config.bin %> <%= command.id %> sub_4bT9… --item 'si_4bT9…:amount=2000' --proration-behavior always_invoice",
    '<%= config.bin %> <%= command.id %> sub_4bT9… --interval year --field amount_due',
  ]
  override readonly operation = subscriptions.preview
}
