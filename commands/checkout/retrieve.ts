import { checkoutSessions } from '../../src/api/operations/checkout-sessions.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { idArg } from '../../src/cli/parse/id-arg.ts'
import { manifestCall } from '../../src/cli/request/call.ts'

export default class CheckoutRetrieve extends BaseCommand {
  static override call = manifestCall(checkoutSessions.retrieve)
  static override summary = 'Retrieve a checkout session'
  static override aliases = ['checkout:get']
  static override args = idArg('cks_4bT9…')
  static override examples = [
    '<%= config.bin %> <%= command.id %> cks_4bT9…',
    '<%= config.bin %> <%= command.id %> cks_4bT9… --json',
    '<%= config.bin %> <%= command.id %> cks_4bT9… --field id',
  ]
}
