import { sendFromFlags, type Task } from '../request/call.ts'

/** What a command does; nothing of the API's own definitions may be loaded for it. */
export type Work = (task: Task) => Promise<void>

/** The commands that do more than make their call, by id. */
const WORKS: ReadonlyMap<string, () => Promise<Work>> = new Map([
  ['payments:create', async () => (await import('../sessions/session-creation.ts')).createPaymentSession],
  ['checkout:create', async () => (await import('../sessions/session-creation.ts')).createCheckoutSession],
  [
    'webhooks:endpoints:recover',
    async () => (await import('../sessions/recover-deliveries.ts')).recoverMissed,
  ],
  ['clock:create', async () => (await import('../sessions/clock-creation.ts')).createClock],
])

/** Carries out a command that calls one operation: from its class, and from the manifest without it. */
export async function carryOut(id: string, task: Task): Promise<void> {
  const work = await WORKS.get(id)?.()
  if (work !== undefined) return work(task)
  await task.print(await sendFromFlags(task.call, task.given, task.client))
}
