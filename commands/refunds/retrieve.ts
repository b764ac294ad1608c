import { refunds } from '../../src/api/operations/refunds.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { idArg } from '../../src/cli/parse/id-arg.ts'
import { manifestCall } from '../../src/cli/request/call.ts'

export default class RefundsRetrieve extends BaseCommand {
  static override call = manifestCall(refunds.retrieve)
  static override summary = 'Retrieve a refund'
  static override aliases = ['refunds:get']
  static override args = idArg('re_4bT9…')
  static override examples = [
    '<%= config.bin %> <%= command.id %> re_4bT9…',
    '<%= config.bin %> <%= command.id %> re_4bT9… --json',
    '<%= config.bin %> <%= command.id %> re_4bT9… --field status',
  ]
}
