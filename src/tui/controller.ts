import type { ListenRecord } from '../client/listen-records.ts'
import type { WebhookDelivery } from '../domain/webhook-deliveries.ts'
import type { ScreenStore } from './app.ts'
import { createFeed, type EventFeed } from './event-feed.ts'
import { handleKey, type KeyEffects } from './keymap.ts'
import { INITIAL_UI, type TriggerChoice, type UiState } from './ui-state.ts'
import { pageRows, type ScreenState } from './view.ts'

/** What the screen needs from its command; the message of a rejection becomes a notice. */
export interface ScreenActions extends Omit<KeyEffects, 'clear' | 'loadAttempts'> {
  readonly apiBase: string
  readonly triggers: readonly TriggerChoice[]
  /** Returns the delivery attempts of an event. */
  readonly attempts: (event: string) => Promise<readonly WebhookDelivery[]>
  /** The wall clock in milliseconds. */
  readonly nowMs: () => number
}

/** The state of the screen and everything that changes it. */
export interface ScreenController extends ScreenStore {
  readonly record: (record: ListenRecord) => void
  readonly setSecret: (secret: string | null) => void
  /** Redraws at once; without a call, changes are drawn together after a short delay. */
  readonly flush: () => void
}

const QUIT_NOTICE = 'Finishing pending deliveries. Press again to quit at once.'

/** Creates the controller; `later` calls back after the delay between two frames. */
export function createScreenController(
  actions: ScreenActions,
  later: (work: () => void) => void,
): ScreenController {
  const { feed, add, clear } = createFeed()
  const { apiBase, triggers } = actions
  const subscribers = new Set<() => void>()
  let ui: UiState = INITIAL_UI
  let secret: string | null = null
  let attempts: { readonly event: string; readonly list: readonly WebhookDelivery[] } | null = null
  let state = build()
  let isFlushing = false

  function build(): ScreenState {
    const list = attempts !== null && attempts.event === ui.selected ? attempts.list : null
    return { feed, ui, apiBase, secret, triggers, attempts: list }
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

  async function loadAttempts(event: string): Promise<void> {
    attempts = { event, list: await actions.attempts(event) }
    flush()
  }

  const showError = (error: unknown) => showNotice(error instanceof Error ? error.message : String(error))

  const effects: KeyEffects = {
    ...{ copy: actions.copy, open: actions.open, clear, loadAttempts },
    quit(isInterrupt) {
      showNotice(QUIT_NOTICE)
      actions.quit(isInterrupt)
    },
    resend: (ids) => resendNotice(actions.resend(ids), feed).then(showNotice),
    trigger: (type) => actions.trigger(type).then(() => showNotice(`Triggered ${type}.`)),
  }

  return {
    getState: () => state,
    subscribe(onChange) {
      subscribers.add(onChange)
      return () => void subscribers.delete(onChange)
    },
    handleKey(pressed, size) {
      const context = { feed, triggers, pageRows: pageRows(size) }
      const { ui: changes, effect } = handleKey(ui, pressed, context)
      ui = { ...ui, notice: null, ...changes }
      effect?.(effects)?.catch(showError)
      flush()
    },
    record(record) {
      const previousReason = feed.connection.reason
      add(record, actions.nowMs())
      if (record.type === 'delivery' && record.event === attempts?.event)
        loadAttempts(record.event).catch(showError)
      if (record.type !== 'state') return flushLater()
      // The notice shows a connection problem in full, because the header may cut it, until the problem is solved.
      const cleared = ui.notice === previousReason ? null : ui.notice
      ui = { ...ui, notice: record.reason ?? cleared }
      flush()
    },
    setSecret(value) {
      secret = value
      flushLater()
    },
    flush,
  }
}

// A disabled target is not resent to; the reason of the connection then says how to enable it.
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
