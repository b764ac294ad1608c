import { createChangeListener } from './change-listener.ts'
import { createChangeNotifier, NO_DEADLINE_SUFFIX } from './change-notifier.ts'
import { ALL_SANDBOXES_TOKEN, createPeerWatch, PRESENCE_REQUEST_TOKEN } from './peer-watch.ts'
import type { PostgresClient } from './postgres-connection.ts'

/**
 * Called with a changed sandbox, or with null when any sandbox may have changed. `mayBeDue` is false when no record with a
 * deadline in real time was stored.
 */
type ChangeWatcher = (sandbox: string | null, mayBeDue: boolean) => void

/** Sends and receives notifications of changes to all sandboxes of a process. */
export type ChangeHub = ReturnType<typeof createChangeHub>

/**
 * Creates the hub of a process, with one LISTEN connection for all sandboxes. Notifications are sent after the commit,
 * because a transaction with NOTIFY holds a lock of the whole database until it ends. During this lock, commits could
 * not write to the disk concurrently. A process that is killed before it notifies sends nothing, so callers also call
 * `notifyAll` when the number of processes decreases.
 */
export function createChangeHub(
  postgres: Pick<PostgresClient, 'schema' | 'query' | 'connect'>,
  { name, monotonicMs }: { readonly name: string; readonly monotonicMs: () => number },
) {
  const watchers = new Set<ChangeWatcher>()
  const listener = createChangeListener(postgres, onNotification, () => {
    peers.query()
    // Changes before LISTEN caused no notification, so assume that everything may have changed.
    notifyAll()
  })
  const notifier = createChangeNotifier(postgres, name)
  const peers = createPeerWatch({
    ...{ notifyAll, monotonicMs },
    send: notifier.send,
    isListening: listener.isListening,
  })

  function notify(sandbox: string | null, mayBeDue: boolean): void {
    for (const watcher of watchers) watcher(sandbox, mayBeDue)
  }

  function notifyAll(): void {
    notify(null, true)
  }

  function onNotification(payload: string): void {
    const [sender, ...tokens] = payload.split(' ')
    if (sender === name) {
      if (tokens.includes(PRESENCE_REQUEST_TOKEN)) peers.onOwnQuery()
      return
    }
    peers.onPeer()
    for (const token of tokens) {
      if (token === PRESENCE_REQUEST_TOKEN) notifier.send(ALL_SANDBOXES_TOKEN)
      else if (token === ALL_SANDBOXES_TOKEN) notifyAll()
      else if (token.endsWith(NO_DEADLINE_SUFFIX)) notify(token.slice(0, -NO_DEADLINE_SUFFIX.length), false)
      else notify(token, true)
    }
  }

  return {
    /** Notifies other processes, if there are any, that a sandbox has changed; several changes may cause one notification. */
    announce(sandbox: string, mayBeDue = true): void {
      if (!peers.isAlone()) notifier.send(sandbox, mayBeDue)
    },
    /** Calls `callback` after another process changed a sandbox; returns a function that unsubscribes. */
    subscribe(sandbox: string, callback: (mayBeDue: boolean) => void): () => void {
      const watcher: ChangeWatcher = (changed, mayBeDue) => {
        if (changed === null || changed === sandbox) callback(mayBeDue)
      }
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
    /** Calls `watcher` with a sandbox that another process changed, or with null for any sandbox. */
    watch: (watcher: ChangeWatcher) => void watchers.add(watcher),
    notifyAll,
    /** Starts to listen for notifications. */
    listen: listener.start,
    /** Reconnects after a lost connection and resends failed notifications, both in the background; ignores errors. */
    resume(): void {
      listener.reconnect()
      notifier.flush()
    },
    /**
     * Returns whether changes by other processes cause notifications; false before `listen`. A process that was alone
     * sends a single notification for all its changes when it detects another process.
     */
    isListening: listener.isListening,
    isAlone: peers.isAlone,
    startCount: peers.startCount,
    /** Sends the last notifications and closes the connection. */
    async end(): Promise<void> {
      await notifier.end()
      await listener.end()
    },
  }
}
