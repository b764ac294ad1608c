import type { ListenOutputRecord } from '../client/listen-records.ts'
import type { WebhookDelivery } from '../domain/events/webhook-deliveries.ts'
import { createAttemptLoader } from './attempt-loader.ts'
import { listDetailRows } from './detail-pane.ts'
import { createEventFeed, type EventFeed } from './event-feed.ts'
import { getKeyResult } from './keymap.ts'
import type { KeyContext, KeyEffects, KeyPress } from './keys.ts'
import { createRetryTimeReader } from './retry-time-reader.ts'
import { computePaneWidths, countListRows, type ScreenSize, type ScreenState } from './screen-state.ts'
import { getSelectedRow, INITIAL_UI, listVisibleRows, type UiState } from './ui-state.ts'

/** The actions and data that the command provides to the screen; an error message is shown as a notice. */
export interface ScreenActions
  extends Omit<KeyEffects, 'clear'>,
    Pick<ScreenState, 'apiBase' | 'sandbox' | 'triggers'> {
  readonly attempts: (event: string) => Promise<readonly WebhookDelivery[]>
  /** Returns the newest pending delivery attempts of all events. */
  readonly pendingAttempts: () => Promise<readonly WebhookDelivery[]>
  /** Returns the time of the wall clock in Unix milliseconds. */
  readonly nowMs: () => number
}

/** The state of the screen and the functions that change it. */
export type ScreenController = ReturnType<typeof createScreenController>

const DETAIL_MODES: ReadonlySet<UiState['mode']> = new Set(['detail', 'find'])
const QUIT_NOTICE = 'Finishing pending deliveries. Press again to quit immediately.'

/** Creates the controller; `later` runs a function after the delay between two frames. */
export function createScreenController(actions: ScreenActions, later: (work: () => void) => void) {
  const { feed, add, clear } = createEventFeed()
  const { apiBase, sandbox, triggers, nowMs } = actions
  const subscribers = new Set<() => void>()
  const outcome = { onChange: flushLater, onError: showError }
  const loader = createAttemptLoader({ read: actions.attempts, ...outcome })
  const retries = createRetryTimeReader({ read: actions.pendingAttempts, ...outcome })
  const effects = createEffects(actions, feed, clear, showNotice)
  let ui: UiState = INITIAL_UI
  let secret: string | null = null
  let isSplit = false
  let isFlushing = false
  let state = build()

  function build(): ScreenState {
    const hasDetails = isSplit || DETAIL_MODES.has(ui.mode)
    const row = hasDetails ? (getSelectedRow(listVisibleRows(feed, ui), ui)?.event.id ?? null) : null
    loader.show(ui.tab === 'attempts' ? row : null)
    const read = { attempts: loader.get(row), retries: retries.times() }
    return { apiBase, sandbox, triggers, feed, ui, secret, ...read, nowMs: nowMs() }
  }

  function flush(): void {
    isFlushing = false
    state = build()
    for (const onChange of subscribers) onChange()
  }

  function flushLater(): void {
    if (isFlushing) return
    isFlushing = true
    later(flush)
  }

  function showNotice(notice: string): void {
    ui = { ...ui, notice }
    flush()
  }

  function showError(error: unknown): void {
    showNotice(error instanceof Error ? error.message : String(error))
  }

  return {
    getState: () => state,
    /** Calls `onChange` after every change to the state. Returns a function that ends the subscription. */
    subscribe(onChange: () => void): () => void {
      subscribers.add(onChange)
      return () => void subscribers.delete(onChange)
    },
    handleKey(pressed: KeyPress, size: ScreenSize): void {
      const context = contextOf(state, size)
      isSplit = context.isSplit
      const { ui: changes, effect } = getKeyResult(ui, pressed, context)
      ui = { ...ui, notice: null, ...changes }
      effect?.(effects)?.catch(showError)
      flush()
    },
    record(record: ListenOutputRecord): void {
      const previousReason = feed.connection.reason
      add(record, nowMs())
      if (record.type === 'delivery') {
        loader.invalidate(record.event, nowMs())
        retries.handleDelivery(record, nowMs())
      }
      if (record.type === 'state') {
        // The notice shows a connection problem in full until the problem is solved.
        ui = { ...ui, notice: record.reason ?? (ui.notice === previousReason ? null : ui.notice) }
        flush()
      } else flushLater()
    },
    setSecret(value: string | null): void {
      secret = value
      flushLater()
    },
    /** Updates relative times and retries; called once a second. */
    tick(): void {
      if (feed.connection.state === 'ready') {
        loader.poll(nowMs())
        retries.poll(nowMs())
      }
      flush()
    },
  }
}

/** Creates the effects of keys. Each effect shows its result as a notice. */
function createEffects(
  actions: ScreenActions,
  feed: EventFeed,
  clear: () => void,
  showNotice: (notice: string) => void,
): KeyEffects {
  return {
    ...{ copy: actions.copy, open: actions.open, clear },
    quit(isInterrupt) {
      showNotice(QUIT_NOTICE)
      actions.quit(isInterrupt)
    },
    resend: (ids) => resendNotice(actions.resend(ids), feed).then(showNotice),
    trigger: (type) => actions.trigger(type).then(() => showNotice(`Triggered ${type}.`)),
  }
}

function contextOf(state: ScreenState, size: ScreenSize): KeyContext {
  const { feed, triggers } = state
  const { isSplit, detail } = computePaneWidths(size)
  return {
    ...{ feed, triggers, isSplit, pageRows: countListRows(size) },
    listDetailRows: (row, ui) => listDetailRows({ ...state, ui }, row, detail),
  }
}

// Disabled targets are skipped, so show the connection message, which explains how to enable them.
async function resendNotice(resent: Promise<void>, { connection, targets }: EventFeed): Promise<string> {
  try {
    await resent
  } catch (error) {
    if (connection.state === 'ready' && connection.reason !== null) return connection.reason
    throw error
  }
  const skipped = targets.filter(({ status }) => status !== 'enabled')
  if (skipped.length === 0) return 'Resent.'
  return `Resent, but not to ${skipped.map(({ url, status }) => `${url} (${status})`).join(' and ')}.`
}
