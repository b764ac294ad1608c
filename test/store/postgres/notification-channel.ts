import type { ChangeHub } from '../../../src/store/postgres/change-hub.ts'
import { createChangeHub } from '../../../src/store/postgres/change-hub.ts'
import type { PostgresClient, PostgresConnection } from '../../../src/store/postgres/postgres-connection.ts'
import { waitForNextTurn } from '../fixture.ts'

/** A process that listens on a fake NOTIFY channel. */
export interface ChannelProcess {
  readonly hub: ChangeHub
  /** Delivers the oldest notification that waits for this process. */
  readonly deliver: () => void
  /** Simulates a count of the registered processes with this result. */
  readonly count: (processes: number) => void
  /** Ends the LISTEN connection of this process, and drops its waiting notifications. */
  readonly disconnect: () => void
}

interface Inbox {
  readonly waiting: string[]
  readonly onNotification: (payload: string) => void
  isOpen: boolean
}

/** Creates a fake NOTIFY channel, which keeps the notifications of each process until they are delivered. */
export function createNotificationChannel() {
  const inboxes = new Set<Inbox>()
  const sent: string[] = []
  const clock = { nowMs: 0 }

  async function query(_text: string, values: readonly unknown[]) {
    const payload = String(values[1])
    sent.push(payload)
    for (const { waiting } of inboxes) waiting.push(payload)
    return []
  }

  function createProcess(name: string): ChannelProcess {
    let inbox: Inbox | null = null
    const connect: PostgresClient['connect'] = async ({ onNotification = () => {} } = {}) => {
      const opened: Inbox = { waiting: [], onNotification, isOpen: true }
      const connection: PostgresConnection = {
        schema: 'public',
        query,
        async exec() {
          inboxes.add(opened)
          return []
        },
        isOpen: () => opened.isOpen,
        async end() {
          opened.isOpen = false
          inboxes.delete(opened)
        },
      }
      inbox = opened
      return connection
    }
    const monotonicMs = () => clock.nowMs
    const hub = createChangeHub({ schema: 'public', query, connect }, { name, monotonicMs })
    return {
      hub,
      count: (processes) => hub.startCount()(processes),
      deliver() {
        const payload = inbox?.waiting.shift()
        if (payload !== undefined) inbox?.onNotification(payload)
      },
      disconnect() {
        if (inbox === null) return
        inbox.isOpen = false
        inboxes.delete(inbox)
        inbox.waiting.length = 0
      },
    }
  }

  return {
    createProcess,
    clock,
    /** The payloads of all notifications. */
    sent,
    /** Delivers all notifications and the notifications that they cause. */
    async settle(processes: readonly ChannelProcess[]): Promise<void> {
      for (let isBusy = true; isBusy; ) {
        await waitForNextTurn()
        isBusy = [...inboxes].some(({ waiting }) => waiting.length > 0)
        for (const { deliver } of processes) deliver()
      }
    },
  }
}
