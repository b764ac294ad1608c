import { paymentMethods } from '../../src/api/operations/payment-methods.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class CardsRetrieve extends operationCommand(paymentMethods.retrieve, 'pm_4bT9…') {
  static override summary = 'Retrieve a saved card'
  static override aliases = ['cards:get']
  static override examples = [
    '<%= config.bin %> <%= command.id %> pm_4bT9…',
    '<%= config.bin %> <%= command.id %> pm_4bT9… --json',
    '<%= config.bin %> <%= command.id %> pm_4bT9… --field card.test_behavior',
  ]
}
