import type { PostgresClient, PostgresConnection } from './postgres-connection.ts'

/** The payload of a notification is limited to 8000 bytes. */
const SANDBOXES_PER_NOTIFICATION = 100

/** Follows the id of a sandbox in a payload when no record with a deadline in real time was stored there. */
const NOTHING_DUE = '~'

/** Called after a change; `mayBeDue` is false when no record with a deadline in real time was stored. */
type ChangeListener = (mayBeDue: boolean) => void

/** Returns the NOTIFY channel for changes to a schema. A payload is the sender and the changed sandboxes; none means all. */
export function notifyChannelOf(schema: string): string {
  return `paycli_${schema}`.slice(0, 63)
}

/** Tells other processes about changes and learns about theirs, for all sandboxes of a process. */
export type ChangeHub = ReturnType<typeof createChangeHub>

/**
 * Creates the hub of a process, with one LISTEN connection for all sandboxes. Notifications are sent after the commit, because a
 * transaction with NOTIFY holds a lock of the whole database until it ends: no two commits could write to the disk at the
 * same time. A process that is killed in between sends none, so callers also call `notifyAll` when a process has gone.
 */
export function createChangeHub(
  postgres: Pick<PostgresClient, 'schema' | 'query' | 'connect'>,
  name: string,
) {
  const subscribers = new Map<string, Set<ChangeListener>>()
  const watchers = new Set<(sandbox: string | null) => void>()
  const listener = createListener(postgres, onNotification, notifyAll)
  /** The sandboxes to announce, and whether something may be due there. */
  const changed = new Map<string, boolean>()
  let sending: Promise<void> | null = null

  function notifyAll(): void {
    for (const sandbox of subscribers.keys()) notify(sandbox, true)
    for (const watcher of watchers) watcher(null)
  }

  function onNotification(payload: string): void {
    const [sender, ...sandboxes] = payload.split(' ')
    if (sender === name) return
    if (sandboxes.length === 0) notifyAll()
    for (const token of sandboxes) {
      const mayBeDue = !token.endsWith(NOTHING_DUE)
      const sandbox = mayBeDue ? token : token.slice(0, -NOTHING_DUE.length)
      notify(sandbox, mayBeDue)
      for (const watcher of watchers) watcher(sandbox)
    }
  }

  function notify(sandbox: string, mayBeDue: boolean): void {
    for (const callback of subscribers.get(sandbox) ?? []) callback(mayBeDue)
  }

  function add(sandbox: string, mayBeDue: boolean): void {
    changed.set(sandbox, mayBeDue || changed.get(sandbox) === true)
  }

  async function sendAll(): Promise<void> {
    while (changed.size > 0) {
      const sent = [...changed].slice(0, SANDBOXES_PER_NOTIFICATION)
      for (const [sandbox] of sent) changed.delete(sandbox)
      try {
        // A notification need not survive a crash, so its transaction does not wait for the disk.
        await postgres.query(`SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, $2)`, [
          notifyChannelOf(postgres.schema),
          [name, ...sent.map(([sandbox, mayBeDue]) => (mayBeDue ? sandbox : sandbox + NOTHING_DUE))].join(
            ' ',
          ),
        ])
      } catch {
        // The next change or heartbeat sends them again. Until then other processes poll.
        for (const [sandbox, mayBeDue] of sent) add(sandbox, mayBeDue)
        return
      }
    }
  }

  function send(): void {
    sending ??= sendAll().finally(() => {
      sending = null
    })
  }

  return {
    /** Notifies other processes that a sandbox has changed; several changes may cause one notification. */
    announce(sandbox: string, mayBeDue = true): void {
      add(sandbox, mayBeDue)
      send()
    },
    /** Calls `callback` after another process changed a sandbox; returns a function that ends this. */
    subscribe(sandbox: string, callback: ChangeListener): () => void {
      const callbacks = subscribers.get(sandbox) ?? new Set<ChangeListener>()
      subscribers.set(sandbox, callbacks.add(callback))
      return () => {
        callbacks.delete(callback)
        if (callbacks.size === 0 && subscribers.get(sandbox) === callbacks) subscribers.delete(sandbox)
      }
    },
    /** Calls `watcher` with each sandbox that another process changed, or with null when any may have changed. */
    watch(watcher: (sandbox: string | null) => void): void {
      watchers.add(watcher)
    },
    notifyAll,
    /** Starts to listen. */
    listen: listener.start,
    /** Reconnects in the background and sends notifications again, if either failed; ignores errors. */
    resume(): void {
      listener.reconnect()
      send()
    },
    /** Returns whether every change by another process causes a notification; false before `listen`. */
    isListening: listener.isListening,
    /** Sends the last notifications and closes the connection. */
    async end(): Promise<void> {
      await sending
      await listener.end()
    },
  }
}

/** Listens on a dedicated connection. */
function createListener(
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
      await connection.exec(`LISTEN "${notifyChannelOf(postgres.schema)}"`)
      isListening = true
      // Changes before LISTEN caused no notification.
      onStart()
    } catch {
      // Callers also poll, and the next lease or presence reconnects.
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
