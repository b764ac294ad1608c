import { paymentMethods } from '../../src/api/operations/payment-methods.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { flagsOf } from '../../src/cli/parse/flags.ts'
import { idArg } from '../../src/cli/parse/id-arg.ts'
import { manifestCall } from '../../src/cli/request/call.ts'

export default class CardsList extends BaseCommand {
  static override call = manifestCall(paymentMethods.listOfCustomer)
  static override summary = 'List the saved cards of a customer'
  static override aliases = ['cards:ls']
  static override args = idArg('cus_4bT9…')
  static override flags = flagsOf(paymentMethods.listOfCustomer.params)
  static override examples = [
    '<%= config.bin %> <%= command.id %> cus_4bT9…',
    "<%= config.bin %> <%= command.id %> cus_4bT9… --field 'data[].id'",
  ]
}
