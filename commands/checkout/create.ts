import { checkoutSessions } from '../../src/api/operations/checkout-sessions.ts'
import { defineSessionCreateCommand } from '../../src/cli/command/session-commands.ts'
import { CHECKOUT_FLAG_MAPPING } from '../../src/cli/sessions/checkout-params.ts'

const TEXTS = {
  summary: 'Create a checkout session for a subscription',
  description:
    'An item is description:amount[:tax_percent[:type[:quantity]]], with the amount of one unit in minor units. ' +
    "'Monthly rent:100000:20:rent' is 1000.00 per period plus 20 % tax, and 'Seat:1500:::3' is 3 seats at 15.00. " +
    'Write a colon in the description as \\:',
  examples: [
    "--customer cus_4bT9… --currency eur --item 'Monthly rent:100000:20:rent' --interval month",
    "--customer cus_4bT9… --currency usd --item 'Seat:1500' --item 'Support:900:7.25' --interval year --start-date 2026-01-01",
    "--customer cus_4bT9… --currency eur --item 'Pro plan:2900' --interval month --trial-days 14",
    "--customer cus_4bT9… --currency eur --item 'Pro plan:2900' --interval month --coupon SPRING-25",
    "--customer cus_4bT9… --currency eur --item 'Pro plan:2900' --interval month --allow-promotion-codes",
    '--from-file session.json --customer cus_4bT9… --field url',
    '--from-file session.json --open --wait --max-wait 10m --json',
  ],
}

export default defineSessionCreateCommand('checkout_sessions', checkoutSessions, TEXTS, CHECKOUT_FLAG_MAPPING)
