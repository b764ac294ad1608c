import { checkoutSessions } from '../../src/api/operations/checkout-sessions.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(checkoutSessions.expire, { summary: 'Expire an open checkout session' })
