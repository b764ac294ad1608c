import { refunds } from '../../src/api/operations/refunds.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class RefundsList extends operationCommand(refunds.list) {
  static override summary = 'List refunds, newest first'
  static override aliases = ['refunds:ls']
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --payment py_4bT9…',
    '<%= config.bin %> <%= command.id %> --created-gte 2026-01-01 --json',
  ]
}
