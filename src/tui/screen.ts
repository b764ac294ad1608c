import { type RenderOptions, render } from 'ink'
import { createElement } from 'react'
import { pause } from '../client/pause.ts'
import { App } from './app.ts'
import { createScreenController, type ScreenActions, type ScreenController } from './controller.ts'
import type { EventFeed } from './event-feed.ts'

/** Bounds the redraws per second, however many events arrive. */
const FRAME_MS = 100
const MAX_FPS = 15
const TICK_MS = 1000

/** The screen of a listener on a terminal. */
export interface ListenScreen extends Pick<ScreenController, 'record' | 'setSecret'> {
  /** Resolves when the screen has closed; rejects when it failed. */
  readonly ended: Promise<unknown>
  /** Closes the screen, and returns the numbers of events and of failed ones. */
  readonly close: () => EventFeed['counts']
}

/** Opens the screen on a terminal (default: this process's) until it is closed; closing restores the terminal. */
export function openScreen(
  actions: ScreenActions,
  terminal: Pick<RenderOptions, 'stdin' | 'stdout'> = {},
): ListenScreen {
  const closing = new AbortController()
  const later = (work: () => void) => void pause(FRAME_MS, closing.signal).then(work, () => {})
  const controller = createScreenController(actions, later)
  const app = render(createElement(App, { store: controller }), {
    ...terminal,
    alternateScreen: true,
    exitOnCtrlC: false,
    incrementalRendering: true,
    interactive: true,
    maxFps: MAX_FPS,
    patchConsole: false,
  })
  const stopped = tickUntilAborted(controller.tick, closing.signal)
  return {
    record: controller.record,
    setSecret: controller.setSecret,
    ended: Promise.race([app.waitUntilExit(), stopped]),
    close() {
      closing.abort()
      app.unmount()
      return controller.getState().feed.counts
    },
  }
}

async function tickUntilAborted(tick: () => void, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    // The pause rejects only when the signal aborts, which ends the loop.
    await pause(TICK_MS, signal).catch(() => {})
    if (!signal.aborted) tick()
  }
}
