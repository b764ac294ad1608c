import { refunds } from '../../src/api/refunds.ts'
import { BaseCommand } from '../../src/cli/base-command.ts'
import { callOf } from '../../src/cli/call.ts'
import { flagsOf } from '../../src/cli/flags.ts'

export default class RefundsList extends BaseCommand {
  static override call = callOf(refunds.list)
  static override summary = refunds.list.summary
  static override aliases = ['refunds:ls']
  static override flags = flagsOf(refunds.list.params)
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --payment py_4bT9…',
    '<%= config.bin %> <%= command.id %> --created-gte 2026-01-01 --json',
  ]
}
