import { webhookEndpoints } from '../../../src/api/operations/webhook-endpoints.ts'
import { defineOperationCommand } from '../../../src/cli/command/operation-command.ts'
import { createParamFlags } from '../../../src/cli/parse/flags.ts'
import type { CommandInput } from '../../../src/cli/request/call.ts'
import { withUnixTimeFlags } from '../../../src/cli/sessions/time-window-flags.ts'
import type { Client } from '../../../src/client/client.ts'

const { recover } = webhookEndpoints

export default class WebhooksEndpointsRecover extends defineOperationCommand(recover, {
  summary: 'Resend events that an endpoint missed',
  description:
    '--since and --until accept a time, or a duration such as 10m for 10 minutes ago. If has_more is true, run the command again to resend the rest. To resend single events, use events resend.',
  flags: createParamFlags(recover.params),
  examples: [
    'we_4bT9… --since 10m',
    'we_4bT9… --since 2026-11-20T08:00:00Z',
    'we_4bT9… --since 1795000000 --types invoice.paid --field resent',
  ],
}) {
  protected override async send(input: CommandInput, client: Client): Promise<object> {
    return super.send({ ...input, flags: await withUnixTimeFlags(input.flags, client) }, client)
  }
}
