import { refunds } from '../../src/api/operations/refunds.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class RefundsRetrieve extends operationCommand(refunds.retrieve, 're_4bT9…') {
  static override summary = 'Retrieve a refund'
  static override aliases = ['refunds:get']
  static override examples = [
    '<%= config.bin %> <%= command.id %> re_4bT9…',
    '<%= config.bin %> <%= command.id %> re_4bT9… --json',
    '<%= config.bin %> <%= command.id %> re_4bT9… --field status',
  ]
}
