import { paymentSessions } from '../../src/api/operations/payment-sessions.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class PaymentSessionsExpire extends operationCommand(paymentSessions.expire, 'py_sess_4bT9…') {
  static override summary = 'Expire an open payment session'
  static override aliases = ['payments:expire']
  static override examples = ['<%= config.bin %> <%= command.id %> py_sess_4bT9…']
}
