import { createHash } from 'node:crypto'
import { Html } from '../markup/html.ts'
import { LIVE_SCRIPT } from './live-script.ts'
import { SCRIPT } from './script.ts'
import { STYLES } from './styles.ts'

/** A file that pages load. Its name contains a hash of its content, so browsers may cache it forever. */
export interface Asset {
  readonly name: string
  readonly type: string
  readonly body: string
}

const HASH_CHARACTERS = 12

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#2a52cc"/><path d="M7 12h18v10a2 2 0 0 1-2 2H9a2 2 0 0 1-2-2zm0-2a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2z" fill="#fff"/><path d="M7 12h18v3H7z" fill="#2a52cc"/></svg>`

/** The icon of every page. */
export const FAVICON: Asset = {
  name: `icon-${hash(ICON, 'hex').slice(0, HASH_CHARACTERS)}.svg`,
  type: 'image/svg+xml',
  body: ICON,
}

const STYLE = STYLES.replace(/\s+/g, ' ').replace(/ ?([{};]) ?/g, '$1')
const CODE = compact(SCRIPT)
const LIVE_CODE = compact(LIVE_SCRIPT)

/** The inline stylesheet of every page, so that a page needs no second request to render. */
export const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`)

/** The script of every page with a form. */
export const SCRIPT_ELEMENT = new Html(`<script>${CODE}</script>`)

/** The script of every page that updates itself. */
export const LIVE_ELEMENT = new Html(`<script>${LIVE_CODE}</script>`)

/** The hashes of the inline style and scripts for the content security policy, which blocks all others. */
export const CSP_SOURCES = {
  style: `'sha256-${hash(STYLE, 'base64')}'`,
  scripts: [CODE, LIVE_CODE].map((code) => `'sha256-${hash(code, 'base64')}'`),
}

/** Finds a file by its current name. */
export function findAsset(name: string): Asset | undefined {
  return name === FAVICON.name ? FAVICON : undefined
}

function compact(script: string): string {
  return script.replace(/^\s*(?:\/\/.*)?\n?/gm, '')
}

function hash(text: string, encoding: 'hex' | 'base64'): string {
  return createHash('sha256').update(text).digest(encoding)
}
