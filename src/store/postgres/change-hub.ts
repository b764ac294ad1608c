import { createChangeListener } from './change-listener.ts'
import { createChangeNotifier, NO_DEADLINE_SUFFIX } from './change-notifier.ts'
import { ALL_SANDBOXES_TOKEN, createPeerWatch, PRESENCE_REQUEST_TOKEN } from './peer-watch.ts'
import type { PostgresClient } from './postgres-connection.ts'

/** Called after a change; `mayBeDue` is false when no record with a deadline in real time was stored. */
type ChangeListener = (mayBeDue: boolean) => void

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
  const subscribers = new Map<string, Set<ChangeListener>>()
  const watchers = new Set<(sandbox: string | null) => void>()
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

  function notifyAll(): void {
    for (const sandbox of subscribers.keys()) notify(sandbox, true)
    for (const watcher of watchers) watcher(null)
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
      else onChange(token)
    }
  }

  function onChange(token: string): void {
    const mayBeDue = !token.endsWith(NO_DEADLINE_SUFFIX)
    const sandbox = mayBeDue ? token : token.slice(0, -NO_DEADLINE_SUFFIX.length)
    notify(sandbox, mayBeDue)
    for (const watcher of watchers) watcher(sandbox)
  }

  function notify(sandbox: string, mayBeDue: boolean): void {
    for (const callback of subscribers.get(sandbox) ?? []) callback(mayBeDue)
  }

  return {
    /** Notifies other processes, if there are any, that a sandbox has changed; several changes may cause one notification. */
    announce(sandbox: string, mayBeDue = true): void {
      if (!peers.isAlone()) notifier.send(sandbox, mayBeDue)
    },
    /** Calls `callback` after another process changed a sandbox; returns a function that unsubscribes. */
    subscribe(sandbox: string, callback: ChangeListener): () => void {
      const callbacks = subscribers.get(sandbox) ?? new Set<ChangeListener>()
      subscribers.set(sandbox, callbacks.add(callback))
      return () => {
        callbacks.delete(callback)
        if (callbacks.size === 0 && subscribers.get(sandbox) === callbacks) subscribers.delete(sandbox)
      }
    },
    /** Calls `watcher` with a sandbox that another process changed, or with null for any sandbox. */
    watch(watcher: (sandbox: string | null) => void): void {
      watchers.add(watcher)
    },
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
