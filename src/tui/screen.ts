import { type RenderOptions, render } from 'ink'
import { createElement } from 'react'
import { pause } from '../client/pause.ts'
import { App } from './app.ts'
import { createDirection, type Direction, type ScreenPorts } from './controller.ts'

/** However many events come, the screen is drawn this often. */
const FRAME_MS = 100
const MAX_FPS = 15

/** A screen on the terminal. */
export interface Screen extends Pick<Direction, 'record' | 'tellSecret'> {
  /** Resolves when it is gone; rejects when it could not go on. */
  readonly ended: Promise<unknown>
  readonly close: () => void
}

/** Takes a terminal over, this process's own unless given, until it is closed; what was on it comes back then. */
export function openScreen(
  ports: ScreenPorts,
  terminal: Pick<RenderOptions, 'stdin' | 'stdout'> = {},
): Screen {
  const closing = new AbortController()
  const later = (work: () => void) => void pause(FRAME_MS, closing.signal).then(work, () => {})
  const direction = createDirection(ports, later)
  const shown = render(createElement(App, { stage: direction }), {
    ...terminal,
    alternateScreen: true,
    exitOnCtrlC: false,
    incrementalRendering: true,
    interactive: true,
    maxFps: MAX_FPS,
    patchConsole: false,
  })
  return {
    record: direction.record,
    tellSecret: direction.tellSecret,
    ended: shown.waitUntilExit(),
    close() {
      closing.abort()
      shown.unmount()
    },
  }
}
