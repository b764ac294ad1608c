import { Box, type Key, Text, useInput, useWindowSize } from 'ink'
import { createElement, type ReactElement, useSyncExternalStore } from 'react'
import type { ScreenController } from './controller.ts'
import type { KeyPress } from './keys.ts'
import type { ScreenSize } from './screen-state.ts'
import type { Line, Span } from './spans.ts'
import { renderFrame } from './view.ts'

/** Draws the screen at the size of the terminal, or at the given size. */
export function ListenScreen({
  store,
  size,
}: {
  readonly store: ScreenController
  readonly size?: ScreenSize
}): ReactElement {
  const window = useWindowSize()
  const state = useSyncExternalStore(store.subscribe, store.getState)
  const { columns, rows } = size ?? window
  useInput((input, key) => {
    for (const pressed of readKeyPresses(input, key)) store.handleKey(pressed, { columns, rows })
  })
  const lines = renderFrame(state, { columns, rows })
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

function spanElement({ text, color, ...style }: Span, index: number): ReactElement {
  const { isDim = false, isBold = false, isInverse = false, isUnderlined = false } = style
  const props = {
    ...{ dimColor: isDim, bold: isBold, inverse: isInverse, underline: isUnderlined },
    ...(color === undefined ? {} : { color }),
  }
  return createElement(Text, { key: index, ...props }, text)
}

const NAMED_KEYS: readonly (keyof Key)[] = [
  ...(['upArrow', 'downArrow', 'leftArrow', 'rightArrow', 'pageUp', 'pageDown', 'home', 'end'] as const),
  ...(['return', 'escape', 'tab', 'backspace', 'delete'] as const),
]

const CONTROL_KEYS: ReadonlyMap<string, KeyPress> = new Map([
  ['\r', 'return'],
  ['\t', 'tab'],
  ['\u007f', 'backspace'],
])

/** Splits one terminal input into key presses, because fast typing arrives as one string. */
function readKeyPresses(input: string, key: Key): KeyPress[] {
  if (key.ctrl) return input === 'c' ? ['interrupt'] : []
  const named = NAMED_KEYS.find((name) => key[name] === true)
  if (named !== undefined) return [named]
  return key.meta ? [] : Array.from(input, (character) => CONTROL_KEYS.get(character) ?? character)
}
