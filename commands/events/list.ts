import { events } from '../../src/api/operations/events.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(events.list, {
  summary: 'List events by sequence, newest first',
  examples: [
    '',
    '--type payment.succeeded',
    '--object-id cus_4bT9…',
    "--types customer.created,customer.updated --field 'data[].id'",
  ],
})
