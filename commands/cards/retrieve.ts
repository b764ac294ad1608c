import { paymentMethods } from '../../src/api/operations/payment-methods.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { idArg } from '../../src/cli/parse/id-arg.ts'
import { callOf } from '../../src/cli/request/call.ts'

export default class CardsRetrieve extends BaseCommand {
  static override call = callOf(paymentMethods.retrieve)
  static override summary = paymentMethods.retrieve.summary
  static override aliases = ['cards:get']
  static override args = idArg('pm_4bT9…')
  static override examples = [
    '<%= config.bin %> <%= command.id %> pm_4bT9…',
    '<%= config.bin %> <%= command.id %> pm_4bT9… --json',
    '<%= config.bin %> <%= command.id %> pm_4bT9… --field card.test_behavior',
  ]
}
