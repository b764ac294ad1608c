import { webhookDeliveries } from '../../../src/api/operations/webhook-deliveries.ts'
import { webhookEndpoints } from '../../../src/api/operations/webhook-endpoints.ts'
import { defineOperationCommand } from '../../../src/cli/command/operation-command.ts'
import { ignoreApiError } from '../../../src/cli/request/customer-name.ts'
import { describeEndpointHealth } from '../../../src/cli/views/endpoint-verdict.ts'

export default defineOperationCommand(webhookEndpoints.health, {
  summary: 'Count the delivery attempts of the last 24 hours',
  examples: ['we_4bT9…', 'we_4bT9… --field failed'],
  note: async (health, client) => {
    const { webhook_endpoint, failed } = health
    const endpoint = await client.call(webhookEndpoints.retrieve, { id: webhook_endpoint })
    const query = { webhook_endpoint, status: 'failed', limit: 1 } as const
    const failures =
      failed === 0 ? null : await client.call(webhookDeliveries.list, query).catch(ignoreApiError)
    return describeEndpointHealth(health, endpoint, failures?.data[0])
  },
})
