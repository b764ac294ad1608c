import { checkoutSessions } from '../../src/api/operations/checkout-sessions.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default operationCommand(checkoutSessions.expire, { summary: 'Expire an open checkout session' })
