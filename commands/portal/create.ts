import { portalSessions } from '../../src/api/operations/portal-sessions.ts'
import { defineSessionCreateCommand } from '../../src/cli/command/session-commands.ts'
import { PORTAL_FLAG_MAPPING } from '../../src/cli/sessions/portal-params.ts'

export default defineSessionCreateCommand(
  'portal_sessions',
  portalSessions,
  {
    summary: 'Create a page to manage subscriptions',
    description:
      'On the page, the customer replaces the card, changes plan or quantity, cancels or resumes, and downloads receipts. The link expires after an hour.',
    examples: [
      '--customer cus_4bT9… --open',
      '--customer cus_4bT9… --plan Small:1000:eur --plan Large:20000:eur:year',
      '--customer cus_4bT9… --cancel off --no-invoices --field url',
    ],
  },
  PORTAL_FLAG_MAPPING,
)
