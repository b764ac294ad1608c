import { checkoutSessions } from '../../src/api/operations/checkout-sessions.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { flagsOf } from '../../src/cli/parse/flags.ts'
import { manifestCall } from '../../src/cli/request/call.ts'

export default class CheckoutList extends BaseCommand {
  static override call = manifestCall(checkoutSessions.list)
  static override summary = 'List checkout sessions, newest first'
  static override aliases = ['checkout:ls']
  static override flags = flagsOf(checkoutSessions.list.params)
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --status open',
    '<%= config.bin %> <%= command.id %> --customer cus_4bT9… --json',
  ]
}
