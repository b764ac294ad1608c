import { LogoError } from './logo-error.ts'
import { ALLOWED_FUNCTIONS } from './svg-names.ts'

// The pattern allows only the whitespace characters of CSS. Any other whitespace is part of a relative URL.
const LOCAL_URL = /url\([ \t\n\r\f]*(["']?)#([\w.-]+)\1[ \t\n\r\f]*\)/gi
// The quantifiers are bounded, so that a search takes linear time.
const CALL = /([\w-]{1,40})\s{0,8}\(/g
const PLAIN_VALUE = /^[\w\s.,#%()+'"-]*$/
const ID = /^[\w.-]+$/

/** Throws unless the value of an attribute refers only to the document itself and calls only known functions. */
export function requireInertValue(name: string, value: string): void {
  const rest = value.replaceAll(LOCAL_URL, ' ')
  const calls = [...rest.matchAll(CALL)]
  for (const [, called = ''] of calls)
    if (!ALLOWED_FUNCTIONS.has(called))
      throw new LogoError(
        called.toLowerCase() === 'url'
          ? `refers to an external resource in ${name}; only url(#id) is allowed`
          : `calls the function ${called}() in ${name}`,
      )
  if (!PLAIN_VALUE.test(rest) || rest.split('(').length - 1 !== calls.length)
    throw new LogoError(`has unsupported characters in ${name}`)
}

/** Returns whether CSS refers to anything outside of the document. */
export function hasExternalUrl(css: string): boolean {
  return /url\s{0,8}\(/i.test(css.replaceAll(LOCAL_URL, ' '))
}

/** Returns the ids that the value of an attribute refers to. */
export function listReferencedIds(value: string): string[] {
  return [...value.matchAll(LOCAL_URL)].map(([, , id = '']) => id)
}

/** Returns the id of a reference such as `#wheel`. Throws for a reference to another document. */
export function parseSvgReference(name: string, value: string): string {
  const id = value.trim().replace(/^#/, '')
  if (!value.trim().startsWith('#') || !isSvgId(id))
    throw new LogoError(`refers to an external resource in ${name}; only #id is allowed`)
  return id
}

/** Returns whether a string is an id that references can contain. */
export function isSvgId(text: string): boolean {
  return ID.test(text)
}
