import { subscriptions } from '../../src/api/operations/subscriptions.ts'
import {
  defineSubscriptionChangeCommand,
  ITEM_CHANGE_HELP,
} from '../../src/cli/command/subscription-change-command.ts'

export default defineSubscriptionChangeCommand(subscriptions.update, {
  summary: 'Update a subscription that is not canceled',
  description: `${ITEM_CHANGE_HELP} See the amounts first with paycli subscriptions preview.`,
  // Only `subscriptions pause` and `subscriptions resume` set `pause_collection`.
  omit: ['pause_collection'],
  examples: [
    'sub_4bT9… --cancel-at-period-end',
    'sub_4bT9… --no-cancel-at-period-end',
    'sub_4bT9… --trial-end now',
    'sub_4bT9… --coupon SPRING-25',
    'sub_4bT9… --default-payment-method pm_4bT9… --metadata tier=gold',
    "sub_4bT9… --item 'si_4bT9…:amount=2000' --proration-behavior always_invoice",
    "sub_4bT9… --item 'si_4bT9…:quantity=5' --item 'Support:900:19'",
    "sub_4bT9… --interval year --item 'si_4bT9…:amount=10000'",
  ],
})
