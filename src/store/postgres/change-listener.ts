import type { PostgresClient, PostgresConnection } from './postgres-connection.ts'

/**
 * Returns the NOTIFY channel for changes to a schema. A payload is the sender and the changed sandboxes or the tokens of
 * `createPeerWatch`.
 */
export function getNotifyChannel(schema: string): string {
  return `paycli_${schema}`.slice(0, 63)
}

/**
 * Creates a listener for the channel of a schema, on a separate connection. Calls `onStart` each time it starts to
 * listen, including after a lost connection.
 */
export function createChangeListener(
  postgres: Pick<PostgresClient, 'schema' | 'connect'>,
  onNotification: (payload: string) => void,
  onStart: () => void,
) {
  let connection: PostgresConnection | null = null
  let opening: Promise<void> | null = null
  let isWanted = false
  let isListening = false

  async function listen(): Promise<void> {
    isListening = false
    try {
      await connection?.end()
      connection = await postgres.connect({ onNotification })
      await connection.exec(`LISTEN "${getNotifyChannel(postgres.schema)}"`)
      isListening = true
      onStart()
    } catch {
      // Ignore the failure, because callers also poll, and the next heartbeat, lease or presence reconnects.
      await connection?.end()
      connection = null
    }
  }

  function reconnect(): void {
    if (!isWanted || opening !== null || connection?.isOpen()) return
    opening = listen().finally(() => {
      opening = null
    })
  }

  return {
    reconnect,
    start(): void {
      isWanted = true
      reconnect()
    },
    isListening: () => isListening && connection?.isOpen() === true,
    async end(): Promise<void> {
      isWanted = false
      await opening
      await connection?.end()
    },
  }
}
