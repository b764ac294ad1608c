import type { Language } from '../languages/language.ts'
import type { Links } from './links.ts'

/** The links, language and business name that a page is rendered with. */
export interface PageView {
  readonly links: Links
  readonly language: Language
  /** The business name in the header of each page; null when none is configured. */
  readonly businessName: string | null
}
