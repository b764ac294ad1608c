import { payments } from '../../src/api/operations/payments.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { idArg } from '../../src/cli/parse/id-arg.ts'
import { manifestCall } from '../../src/cli/request/call.ts'

export default class PaymentsAttempt extends BaseCommand {
  static override call = manifestCall(payments.retrieve)
  static override summary = 'Retrieve a charge attempt'
  static override args = idArg('py_4bT9…')
  static override examples = [
    '<%= config.bin %> <%= command.id %> py_4bT9…',
    '<%= config.bin %> <%= command.id %> py_4bT9… --json',
    '<%= config.bin %> <%= command.id %> py_4bT9… --field decline_code',
  ]
}
