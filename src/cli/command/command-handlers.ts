import { type CommandContext, sendFromFlags } from '../request/call.ts'

/** Runs a command. A handler must not import API operations: the manifest runner loads it without them. */
export type CommandHandler = (context: CommandContext) => Promise<void>

/** The handlers of single-call commands that do more than send the call, by command id. */
const HANDLERS: ReadonlyMap<string, () => Promise<CommandHandler>> = new Map([
  ['payments:create', async () => (await import('../sessions/session-creation.ts')).createPaymentSession],
  ['checkout:create', async () => (await import('../sessions/session-creation.ts')).createCheckoutSession],
  [
    'webhooks:endpoints:recover',
    async () => (await import('../sessions/recover-deliveries.ts')).recoverDeliveries,
  ],
  ['clock:create', async () => (await import('../sessions/clock-creation.ts')).createTestClock],
])

/** Runs a single-call command: its handler, or the call itself when it has none. */
export async function handleCommand(id: string, context: CommandContext): Promise<void> {
  const handler = await HANDLERS.get(id)?.()
  if (handler !== undefined) return handler(context)
  await context.print(await sendFromFlags(context.operation, context.input, context.client))
}
