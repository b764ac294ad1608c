import type { HyperlinkFormatter } from '../output/hyperlink.ts'
import type { Style } from '../output/style.ts'

/** Options for the text view of a response. */
export interface ViewOptions {
  readonly style: Style
  readonly link: HyperlinkFormatter
  /** The width of the terminal in columns. With `isWide`, lines may be longer. */
  readonly width: number
  /** Whether to show complete ids, absolute times, and every column and field. */
  readonly isWide: boolean
  /** The time of the server in Unix seconds, or null when no server was called. */
  readonly now: number | null
  /** Names of other objects, such as the customer of a payment, by id. */
  readonly names: ReadonlyMap<string, string>
  /** The sandbox that the next command must name with `--sandbox`; null if the flag is not needed. */
  readonly sandbox: string | null
}

/** The text of a response. */
export interface RenderedText {
  readonly text: string
  /** Whether the view is complete; false when `--wide` shows more. */
  readonly isWhole: boolean
}
