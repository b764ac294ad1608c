import type { Language } from '../languages/language.ts'
import type { Html } from '../markup/html.ts'
import type { PageLinks } from './links.ts'

/** The merchant's name, color and logo on a page. */
export interface PageBrand {
  /** The name in the header; null when no merchant is known. */
  readonly name: string | null
  /** The color of buttons and links, such as `#7a3b1d`; null for the color of paycli. */
  readonly color: string | null
  /** The path of the logo, or null. */
  readonly logo: string | null
}

/** The test bar of a page that only this machine can open. */
export interface TestBarContent {
  /** Whether the test bar is open. */
  readonly isOpen: boolean
  /** The related events with their deliveries. */
  readonly events: Html
}

/** The links, language and brand that a page is rendered with. */
export interface PageView {
  readonly links: PageLinks
  readonly language: Language
  readonly brand: PageBrand
  /** The kind of page, which the header shows when no merchant is known (default: checkout). */
  readonly heading?: 'checkout' | 'card' | 'invoice' | 'portal' | undefined
  readonly testBar?: TestBarContent
  /** The path of the receipt as PDF, on pages of an object. */
  readonly receiptPdf?: string
  /** The Accept-Language header of the request. */
  readonly acceptLanguage: string | undefined
  /** The names and values of the query parameters that remain when the customer chooses another language. */
  readonly keptParams: readonly (readonly [name: string, value: string])[]
}
