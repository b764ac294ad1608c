import { paymentMethods } from '../../src/api/operations/payment-methods.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { changeFlags } from '../../src/cli/parse/change-flags.ts'
import { idArg } from '../../src/cli/parse/id-arg.ts'
import { manifestCall } from '../../src/cli/request/call.ts'

export default class CardsDetach extends BaseCommand {
  static override call = manifestCall(paymentMethods.detach)
  static override summary = 'Detach a saved card from its customer'
  static override args = idArg('pm_4bT9…')
  static override flags = changeFlags
  static override examples = ['<%= config.bin %> <%= command.id %> pm_4bT9…']
}
