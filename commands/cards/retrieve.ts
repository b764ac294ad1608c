import { paymentMethods } from '../../src/api/operations/payment-methods.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { idArg } from '../../src/cli/parse/id-arg.ts'
import { manifestCall } from '../../src/cli/request/call.ts'

export default class CardsRetrieve extends BaseCommand {
  static override call = manifestCall(paymentMethods.retrieve)
  static override summary = 'Retrieve a saved card'
  static override aliases = ['cards:get']
  static override args = idArg('pm_4bT9…')
  static override examples = [
    '<%= config.bin %> <%= command.id %> pm_4bT9…',
    '<%= config.bin %> <%= command.id %> pm_4bT9… --json',
    '<%= config.bin %> <%= command.id %> pm_4bT9… --field card.test_behavior',
  ]
}
