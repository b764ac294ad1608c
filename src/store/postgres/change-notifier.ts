import { getNotifyChannel } from './change-listener.ts'
import type { PostgresClient } from './postgres-connection.ts'

/** Maximum number of tokens in one notification, whose payload is limited to 8000 bytes. */
const TOKENS_PER_NOTIFICATION = 100

/** The suffix of a sandbox id in a payload if no record with a deadline in real time was stored. */
export const NO_DEADLINE_SUFFIX = '~'

/** Creates the sender of the notifications of a process with this name. */
export function createChangeNotifier(postgres: Pick<PostgresClient, 'schema' | 'query'>, name: string) {
  /** The tokens to send; true for a sandbox that may have a new deadline in real time. */
  const waiting = new Map<string, boolean>()
  let sending: Promise<void> | null = null

  function add(token: string, mayBeDue: boolean): void {
    waiting.set(token, mayBeDue || waiting.get(token) === true)
  }

  async function sendAll(): Promise<void> {
    while (waiting.size > 0) {
      const sent = [...waiting].slice(0, TOKENS_PER_NOTIFICATION)
      for (const [token] of sent) waiting.delete(token)
      const tokens = sent.map(([token, mayBeDue]) => (mayBeDue ? token : token + NO_DEADLINE_SUFFIX))
      try {
        // A notification need not survive a crash, so its transaction does not wait for the disk.
        await postgres.query(`SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, $2)`, [
          getNotifyChannel(postgres.schema),
          [name, ...tokens].join(' '),
        ])
      } catch {
        // The next change or heartbeat sends the unsent tokens again. Until then, other processes poll.
        for (const [token, mayBeDue] of sent) add(token, mayBeDue)
        return
      }
    }
  }

  /** Sends the queued notifications, including notifications that could not be sent before. */
  function flush(): void {
    sending ??= sendAll().finally(() => {
      sending = null
    })
  }

  return {
    /** Sends the id of a changed sandbox or another token; several tokens may share one notification. */
    send(token: string, mayBeDue = true): void {
      add(token, mayBeDue)
      flush()
    },
    flush,
    /** Waits until the last notification is sent. */
    async end(): Promise<void> {
      await sending
    },
  }
}
