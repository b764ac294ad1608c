import { type RenderOptions, render } from 'ink'
import { createElement } from 'react'
import { waitUnlessAborted } from '../client/timing.ts'
import { ListenScreen } from './app.ts'
import { createScreenController, type ScreenActions } from './controller.ts'
import type { EventFeed } from './event-feed.ts'

/** Minimum time between two redraws. */
const FRAME_MS = 100
const MAX_FPS = 15
const TICK_MS = 1000

/** Opens the screen on a terminal (default: of this process) until it is closed, and then restores the terminal. */
export function openScreen(actions: ScreenActions, terminal: Pick<RenderOptions, 'stdin' | 'stdout'> = {}) {
  const closing = new AbortController()
  const later = (work: () => void) => void waitUnlessAborted(FRAME_MS, closing.signal).then(work, () => {})
  const controller = createScreenController(actions, later)
  const app = render(createElement(ListenScreen, { store: controller }), {
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
    /** Resolves when the screen has closed; rejects when it failed. */
    ended: Promise.race([app.waitUntilExit(), stopped]),
    /** Closes the screen, and returns the numbers of events and of events with a failed delivery. */
    close(): EventFeed['counts'] {
      closing.abort()
      app.unmount()
      return controller.getState().feed.counts
    },
  }
}

async function tickUntilAborted(tick: () => void, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    // The pause rejects only when the signal aborts, which ends the loop.
    await waitUnlessAborted(TICK_MS, signal).catch(() => {})
    if (!signal.aborted) tick()
  }
}
