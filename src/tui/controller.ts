import type { ListenRecord } from '../client/listen-records.ts'
import type { WebhookDelivery } from '../domain/webhook-deliveries.ts'
import type { Stage } from './app.ts'
import { type Effect, press } from './keymap.ts'
import { createFeed, type Feed } from './model.ts'
import { FIRST_UI, type TriggerChoice, type Ui } from './ui.ts'
import { pageRows, type Scene } from './view.ts'

/** What the screen asks others to do; whatever rejects is shown in its words. */
export interface ScreenPorts {
  readonly apiBase: string
  readonly triggers: readonly TriggerChoice[]
  readonly resend: (ids: readonly string[]) => Promise<void>
  readonly trigger: (type: string) => Promise<void>
  readonly copy: (text: string) => Promise<void>
  readonly open: (url: string) => Promise<void>
  readonly attempts: (event: string) => Promise<readonly WebhookDelivery[]>
  readonly quit: (isInterrupt: boolean) => void
  /** The wall clock in milliseconds. */
  readonly nowMs: () => number
}

/** Everything that happens on the screen but the drawing. */
export interface Direction extends Stage {
  readonly record: (record: ListenRecord) => void
  readonly tellSecret: (secret: string | null) => void
  /** Draws now what came; otherwise that is done a few times in a second. */
  readonly flush: () => void
}

const FAREWELL = 'Finishing what is on its way; once more ends at once.'

/** Keeps the scene; `later` calls back after a moment. */
export function createDirection(ports: ScreenPorts, later: (work: () => void) => void): Direction {
  const book = createFeed()
  const listeners = new Set<() => void>()
  let ui: Ui = FIRST_UI
  let secret: string | null = null
  let attempts: { readonly of: string; readonly listed: readonly WebhookDelivery[] } | null = null
  let scene = build()
  let isFlushing = false

  function build(): Scene {
    const listed = attempts !== null && attempts.of === ui.selected ? attempts.listed : null
    return { feed: book.feed, ui, apiBase: ports.apiBase, secret, triggers: ports.triggers, attempts: listed }
  }

  function flush(): void {
    isFlushing = false
    scene = build()
    for (const changed of listeners) changed()
  }

  function soon(): void {
    if (isFlushing) return
    isFlushing = true
    later(flush)
  }

  function say(notice: string): void {
    ui = { ...ui, notice }
    flush()
  }

  async function loadAttempts(id: string): Promise<void> {
    attempts = { of: id, listed: await ports.attempts(id) }
    flush()
  }

  function refresh(id: string): void {
    loadAttempts(id).catch(tellFailure)
  }

  function tellFailure(error: unknown): void {
    say(error instanceof Error ? error.message : String(error))
  }

  function carryOut(effect: Effect): Promise<void> | void {
    if (effect.ask === 'quit') {
      say(FAREWELL)
      return ports.quit(effect.isInterrupt)
    }
    if (effect.ask === 'clear') return book.clear()
    if (effect.ask === 'attempts') return loadAttempts(effect.id)
    if (effect.ask === 'copy') return ports.copy(effect.text)
    if (effect.ask === 'open') return ports.open(effect.url)
    if (effect.ask === 'resend') return noteOf(ports.resend(effect.ids), book.feed).then(say)
    return ports.trigger(effect.type).then(() => say(`Triggered ${effect.type}.`))
  }

  return {
    scene: () => scene,
    subscribe(changed) {
      listeners.add(changed)
      return () => void listeners.delete(changed)
    },
    press(pressed, size) {
      const around = { feed: book.feed, triggers: ports.triggers, pageRows: pageRows(size) }
      const { ui: next, effect } = press(ui, pressed, around)
      ui = next
      if (effect !== null) carryOut(effect)?.catch(tellFailure)
      flush()
    },
    record(record) {
      const former = book.feed.connection.reason
      book.put(record, ports.nowMs())
      if (record.type === 'delivery' && record.event === attempts?.of) refresh(record.event)
      if (record.type !== 'state') return soon()
      ui = { ...ui, notice: noticeAfter(ui.notice, former, record.reason) }
      flush()
    },
    tellSecret(told) {
      secret = told
      soon()
    },
    flush,
  }
}

// What is wrong is told whole in the note, where the head may cut it, until it is over or another thing is told.
function noticeAfter(shown: string | null, former: string | null, reason: string | null): string | null {
  return reason ?? (shown === former ? null : shown)
}

// What is sent again goes to every endpoint that wants it; a target that is off is none, and what helps is known.
async function noteOf(resent: Promise<void>, { connection, targets }: Feed): Promise<string> {
  try {
    await resent
  } catch (error) {
    if (connection.state === 'ready' && connection.reason !== null) return connection.reason
    throw error
  }
  const off = targets.filter(({ status }) => status !== 'enabled')
  if (off.length === 0) return 'Sent again.'
  return `Sent again, but not to ${off.map(({ url, status }) => `${url}, which is ${status}`).join(' and ')}.`
}
