import { checkoutSessions } from '../../src/api/checkout-sessions.ts'
import { BaseCommand } from '../../src/cli/base-command.ts'
import { callOf } from '../../src/cli/call.ts'
import { idArg } from '../../src/cli/id-arg.ts'

export default class CheckoutRetrieve extends BaseCommand {
  static override call = callOf(checkoutSessions.retrieve)
  static override summary = checkoutSessions.retrieve.summary
  static override aliases = ['checkout:get']
  static override args = idArg('cks_4bT9…')
  static override examples = [
    '<%= config.bin %> <%= command.id %> cks_4bT9…',
    '<%= config.bin %> <%= command.id %> cks_4bT9… --json',
    '<%= config.bin %> <%= command.id %> cks_4bT9… --field id',
  ]
}
