import { subscriptions } from '../../src/api/operations/subscriptions.ts'
import {
  ITEM_CHANGE_HELP,
  SubscriptionChangeCommand,
  subscriptionChangeFlags,
} from '../../src/cli/command/subscription-change-command.ts'

/** Parameters that only `subscriptions pause` and `subscriptions resume` set. */
const OMITTED = ['pause_collection']

export default class SubscriptionsUpdate extends SubscriptionChangeCommand {
  static override summary = 'Update a subscription that is not canceled'
  static override description = `${ITEM_CHANGE_HELP} See the amounts first with paycli subscriptions preview.`
  static override flags = subscriptionChangeFlags(subscriptions.update, OMITTED)
  static override examples = [
    '<%= config.bin %> <%= command.id %> sub_4bT9… --cancel-at-period-end',
    '<%= config.bin %> <%= command.id %> sub_4bT9… --no-cancel-at-period-end',
    '<%= config.bin %> <%= command.id %> sub_4bT9… --trial-end now',
    '<%= config.bin %> <%= command.id %> sub_4bT9… --default-payment-method pm_4bT9… --metadata tier=gold',
    "<%= config.bin %> <%= command.id %> sub_4bT9… --item 'si_4bT9…:amount=2000' --proration-behavior always_invoice",
    "<%= config.bin %> <%= command.id %> sub_4bT9… --item 'si_4bT9…:quantity=5' --item 'Support:900:19'",
    "<%= config.bin %> <%= command.id %> sub_4bT9… --interval year --item 'si_4bT9…:amount=10000'",
  ]
  override readonly operation = subscriptions.update
  override readonly omitted = OMITTED
}
