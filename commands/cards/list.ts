import { paymentMethods } from '../../src/api/operations/payment-methods.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class CardsList extends operationCommand(paymentMethods.listOfCustomer, 'cus_4bT9…') {
  static override summary = 'List the saved cards of a customer'
  static override aliases = ['cards:ls']
  static override examples = [
    '<%= config.bin %> <%= command.id %> cus_4bT9…',
    "<%= config.bin %> <%= command.id %> cus_4bT9… --field 'data[].id'",
  ]
}
