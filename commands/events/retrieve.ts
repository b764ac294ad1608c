import { events } from '../../src/api/operations/events.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class EventsRetrieve extends operationCommand(events.retrieve, 'evt_4bT9…') {
  static override summary = 'Retrieve an event'
  static override aliases = ['events:get']
  static override examples = [
    '<%= config.bin %> <%= command.id %> evt_4bT9…',
    '<%= config.bin %> <%= command.id %> evt_4bT9… --field data.object.status',
  ]
}
