import type { Language } from './language.ts'
import type { Links } from './links.ts'

/** How pages are made for one buyer: where they lead and what language they speak. */
export interface View {
  readonly links: Links
  readonly language: Language
}
