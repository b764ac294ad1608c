import { cardSessions } from '../../src/api/operations/card-sessions.ts'
import { defineSessionCreateCommand } from '../../src/cli/command/session-commands.ts'

export default defineSessionCreateCommand('card_sessions', cardSessions, {
  summary: 'Create a card session to update a card',
  description:
    'The page saves the new card, uses it for the subscriptions of the customer and pays their open invoices. With --no-pay-open-invoices, the invoices stay open.',
  examples: [
    '--customer cus_4bT9…',
    '--customer cus_4bT9… --subscription sub_4bT9… --field url',
    '--customer cus_4bT9… --open --wait --max-wait 10m --json',
  ],
})
