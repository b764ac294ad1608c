import { subscriptions } from '../../src/api/operations/subscriptions.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'
import { type CommandInput, sendFromFlags } from '../../src/cli/request/call.ts'
import type { Client } from '../../src/client/client.ts'

const { resume, retrieve, update } = subscriptions

export default class SubscriptionsResume extends defineOperationCommand(resume, {
  summary: 'Resume a paused subscription, or its collection',
  description:
    'A subscription with status paused, whose trial ended without a card, starts and is billed. Otherwise the collection of new invoices resumes. ' +
    'Invoices that the pause kept as drafts stay drafts. Collect them with paycli invoices finalize --auto-advance.',
}) {
  protected override async send(input: CommandInput, client: Client): Promise<object> {
    const { status } = await client.call(retrieve, { id: input.id })
    if (status === 'paused') return super.send(input, client)
    // Omit all parameters of the update, because the command has no flags for them.
    const omit = Object.keys(update.params.properties)
    return sendFromFlags(update, input, client, { omit, params: { pause_collection: null } })
  }
}
