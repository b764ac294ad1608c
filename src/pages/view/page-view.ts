import type { Language } from '../languages/language.ts'
import type { Html } from '../markup/html.ts'
import type { Links } from './links.ts'

/** Whose page it is. */
export interface Brand {
  /** The business name in the header; null to show the host of a session's `return_url`. */
  readonly name: string | null
}

/** The developer tools of a page that only this machine can open. */
export interface Devtools {
  /** Whether the test bar is open. */
  readonly isOpen: boolean
  /** The related events with their deliveries. */
  readonly events: Html
}

/** The links, language and brand that a page is rendered with. */
export interface PageView {
  readonly links: Links
  readonly language: Language
  readonly brand: Brand
  readonly devtools?: Devtools
}
