import { Box, type Key, Text, useInput, useWindowSize } from 'ink'
import { createElement, type ReactElement, useSyncExternalStore } from 'react'
import type { Press } from './keymap.ts'
import type { Line, Span } from './spans.ts'
import { frameOf, type Scene, type Size } from './view.ts'

/** What the screen draws, and who hears of keys. */
export interface Stage {
  /** Calls back whenever the scene is another one; returns how to stop that. */
  readonly subscribe: (changed: () => void) => () => void
  readonly scene: () => Scene
  readonly press: (pressed: Press, size: Size) => void
}

/** The screen at the size of the terminal, or at a given one. */
export function App({ stage, size }: { readonly stage: Stage; readonly size?: Size }): ReactElement {
  const window = useWindowSize()
  const scene = useSyncExternalStore(stage.subscribe, stage.scene)
  const { columns, rows } = size ?? window
  useInput((input, key) => {
    for (const pressed of pressesOf(input, key)) stage.press(pressed, { columns, rows })
  })
  const lines = frameOf(scene, { columns, rows })
  return createElement(
    Box,
    { flexDirection: 'column', width: columns, height: rows, overflow: 'hidden' },
    ...lines.map(lineElement),
  )
}

function lineElement(line: Line, index: number): ReactElement {
  const spans = line.length === 0 ? [{ text: ' ' }] : line
  return createElement(Text, { key: index, wrap: 'truncate' }, ...spans.map(spanElement))
}

function spanElement({ text, color, isDim = false, isBold = false, isInverse = false }: Span, index: number) {
  const style = {
    dimColor: isDim,
    bold: isBold,
    inverse: isInverse,
    ...(color === undefined ? {} : { color }),
  }
  return createElement(Text, { key: index, ...style }, text)
}

const NAMED: readonly (readonly [is: keyof Key, key: Press['key']])[] = [
  ['upArrow', 'up'],
  ['downArrow', 'down'],
  ['leftArrow', 'left'],
  ['rightArrow', 'right'],
  ['pageUp', 'page-up'],
  ['pageDown', 'page-down'],
  ['home', 'home'],
  ['end', 'end'],
  ['return', 'enter'],
  ['escape', 'escape'],
  ['tab', 'tab'],
  ['backspace', 'backspace'],
  ['delete', 'backspace'],
]

const CONTROLS: ReadonlyMap<string, Press['key']> = new Map([
  ['\r', 'enter'],
  ['\t', 'tab'],
  ['\u007f', 'backspace'],
])

/** The presses that a terminal reported at once; what is typed fast comes as one text. */
function pressesOf(input: string, key: Key): Press[] {
  if (key.ctrl) return input === 'c' ? [{ key: 'interrupt', text: '' }] : []
  const named = NAMED.find(([is]) => key[is] === true)
  if (named !== undefined) return [{ key: named[1], text: '' }]
  return key.meta ? [] : Array.from(input, (text) => ({ key: CONTROLS.get(text) ?? 'text', text }))
}
