import { events } from '../../src/api/operations/events.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { flagsOf } from '../../src/cli/parse/flags.ts'
import { manifestCall } from '../../src/cli/request/call.ts'

export default class EventsList extends BaseCommand {
  static override call = manifestCall(events.list)
  static override summary = 'List events by sequence, newest first'
  static override aliases = ['events:ls']
  static override flags = flagsOf(events.list.params)
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --type payment.succeeded',
    '<%= config.bin %> <%= command.id %> --object-id cus_4bT9…',
    "<%= config.bin %> <%= command.id %> --types customer.created,customer.updated --field 'data[].id'",
  ]
}
