import { RawCommand } from '../src/cli/command/raw-command.ts'
import { createFlags } from '../src/cli/parse/create-flags.ts'

export default class Post extends RawCommand {
  static override summary =
    'Posts to an id or a path of the API: creates, changes, or carries out what stands behind it.'
  static override description =
    'The beginning of an id says where the object is; -d sets parameters of the body.'
  static override flags = createFlags
  static override examples = [
    '<%= config.bin %> <%= command.id %> /v1/customers -d email=ada@example.com',
    "<%= config.bin %> <%= command.id %> cus_4bT9… -d 'metadata[order]=1042'",
    '<%= config.bin %> <%= command.id %> in_4bT9…/pay -d paid_out_of_band=true --dry-run',
  ]

  override run(): Promise<void> {
    return this.ask('POST')
  }
}
