import { events } from '../../src/api/operations/events.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { idArg } from '../../src/cli/parse/id-arg.ts'
import { manifestCall } from '../../src/cli/request/call.ts'

export default class EventsRetrieve extends BaseCommand {
  static override call = manifestCall(events.retrieve)
  static override summary = 'Retrieve an event'
  static override aliases = ['events:get']
  static override args = idArg('evt_4bT9…')
  static override examples = [
    '<%= config.bin %> <%= command.id %> evt_4bT9…',
    '<%= config.bin %> <%= command.id %> evt_4bT9… --field data.object.status',
  ]
}
