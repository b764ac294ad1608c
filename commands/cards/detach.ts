import { paymentMethods } from '../../src/api/operations/payment-methods.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class CardsDetach extends operationCommand(paymentMethods.detach, 'pm_4bT9…') {
  static override summary = 'Detach a saved card from its customer'
  static override examples = ['<%= config.bin %> <%= command.id %> pm_4bT9…']
}
