import { createHash } from 'node:crypto'
import { STYLES } from './styles.ts'

/** A file that pages load; its name changes with its content, so browsers may keep it for ever. */
export interface Asset {
  readonly name: string
  readonly type: string
  readonly body: string
}

const HASH_CHARACTERS = 12

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#2a52cc"/><path d="M7 12h18v10a2 2 0 0 1-2 2H9a2 2 0 0 1-2-2zm0-2a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2z" fill="#fff"/><path d="M7 12h18v3H7z" fill="#2a52cc"/></svg>`

/** The stylesheet of every page. */
export const STYLESHEET = asset('style', 'css', { type: 'text/css; charset=utf-8', body: STYLES })

/** The icon in the browser's tab. */
export const FAVICON = asset('icon', 'svg', { type: 'image/svg+xml', body: ICON })

/** Finds a file by the name it has now. */
export function findAsset(name: string): Asset | undefined {
  return [STYLESHEET, FAVICON].find((known) => known.name === name)
}

function asset(name: string, ending: string, file: Omit<Asset, 'name'>): Asset {
  const hash = createHash('sha256').update(file.body).digest('hex').slice(0, HASH_CHARACTERS)
  return { name: `${name}-${hash}.${ending}`, ...file }
}
