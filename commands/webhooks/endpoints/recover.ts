import { webhookEndpoints } from '../../../src/api/operations/webhook-endpoints.ts'
import { operationCommand } from '../../../src/cli/command/operation-command.ts'
import { flagsOf } from '../../../src/cli/parse/flags.ts'
import { sendFromFlags } from '../../../src/cli/request/call.ts'
import { parsePastFlags } from '../../../src/cli/sessions/past-flags.ts'

const { recover } = webhookEndpoints

export default class WebhooksEndpointsRecover extends operationCommand(recover, 'we_4bT9…') {
  static override summary = 'Resend events that an endpoint missed'
  static override description =
    '--since and --until accept a time, or a duration such as 10m for 10 minutes ago. If has_more is true, run the command again to resend the rest. To resend single events, use events resend.'
  static override flags = flagsOf(recover.params)
  static override examples = [
    '<%= config.bin %> <%= command.id %> we_4bT9… --since 10m',
    '<%= config.bin %> <%= command.id %> we_4bT9… --since 2026-11-20T08:00:00Z',
    '<%= config.bin %> <%= command.id %> we_4bT9… --since 1795000000 --types invoice.paid --field resent',
  ]

  override async run(): Promise<void> {
    const input = await this.readInput()
    const client = this.client()
    const flags = await parsePastFlags(input.flags, client)
    this.print(await sendFromFlags(recover, { ...input, flags }, client))
  }
}
