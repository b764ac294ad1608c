import { faults } from '../../src/api/operations/faults.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class FaultsRetrieve extends operationCommand(faults.retrieve, 'flt_4bT9…') {
  static override summary = 'Retrieve a fault'
  static override aliases = ['faults:get']
  static override examples = [
    '<%= config.bin %> <%= command.id %> flt_4bT9…',
    '<%= config.bin %> <%= command.id %> flt_4bT9… --field applied',
  ]
}
