import { events } from '../../src/api/operations/events.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class EventsList extends operationCommand(events.list) {
  static override summary = 'List events by sequence, newest first'
  static override aliases = ['events:ls']
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --type payment.succeeded',
    '<%= config.bin %> <%= command.id %> --object-id cus_4bT9…',
    "<%= config.bin %> <%= command.id %> --types customer.created,customer.updated --field 'data[].id'",
  ]
}
