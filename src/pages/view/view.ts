import type { Language } from '../languages/language.ts'
import type { Links } from './links.ts'

/** How pages are made for one buyer: where they lead, what language they speak and whom they name. */
export interface View {
  readonly links: Links
  readonly language: Language
  /** Who asks to be paid, as the head of each page names it; null when the service was given no name. */
  readonly business: string | null
}
