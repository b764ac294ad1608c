import { paymentSessions } from '../../src/api/operations/payment-sessions.ts'
import { defineSessionCreateCommand } from '../../src/cli/command/session-commands.ts'
import { createSessionFlagMapping } from '../../src/cli/sessions/session-flags.ts'

const TEXTS = {
  summary: 'Create a payment session for one payment',
  examples: [
    '--customer cus_4bT9… --amount 1000 --currency eur --return-url https://example.com/return',
    '--from-file session.json --customer cus_4bT9… --field url',
    '--from-file session.json --customer cus_4bT9… --save-payment-method',
    '--from-file session.json --open --wait --max-wait 10m --json',
  ],
}

export default defineSessionCreateCommand(
  'payment_sessions',
  paymentSessions,
  TEXTS,
  createSessionFlagMapping(paymentSessions.create, { payment_method_types: ['card'] }),
)
