import { events } from '../../src/api/operations/events.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default operationCommand(events.retrieve, {
  summary: 'Retrieve an event',
  examples: ['evt_4bT9…', 'evt_4bT9… --field data.object.status'],
})
