import { RawCommand } from '../src/cli/command/raw-command.ts'
import { dryRunFlag } from '../src/cli/parse/create-flags.ts'

export default class Delete extends RawCommand {
  static override summary = 'Deletes what an id or a path of the API names.'
  static override aliases = ['rm']
  static override description = 'The beginning of an id says where the object is.'
  static override flags = dryRunFlag
  static override examples = [
    '<%= config.bin %> <%= command.id %> cus_4bT9…',
    '<%= config.bin %> <%= command.id %> /v1/webhook_endpoints/we_4bT9… --dry-run',
  ]

  override run(): Promise<void> {
    return this.ask('DELETE')
  }
}
