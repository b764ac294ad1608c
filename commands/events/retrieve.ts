import { events } from '../../src/api/operations/events.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(events.retrieve, {
  summary: 'Retrieve an event',
  examples: ['evt_4bT9…', 'evt_4bT9… --field data.object.status'],
})
