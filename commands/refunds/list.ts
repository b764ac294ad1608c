import { refunds } from '../../src/api/operations/refunds.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { flagsOf } from '../../src/cli/parse/flags.ts'
import { manifestCall } from '../../src/cli/request/call.ts'

export default class RefundsList extends BaseCommand {
  static override call = manifestCall(refunds.list)
  static override summary = 'List refunds, newest first'
  static override aliases = ['refunds:ls']
  static override flags = flagsOf(refunds.list.params)
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --payment py_4bT9…',
    '<%= config.bin %> <%= command.id %> --created-gte 2026-01-01 --json',
  ]
}
