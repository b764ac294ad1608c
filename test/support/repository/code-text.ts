import type { SourceFile } from './source-files.ts'

/**
 * Two copies of a text, each as long as the original. `code` has spaces in place of comments, strings and regular
 * expressions; `comments` has spaces in place of all other text.
 */
type Layers = { code: string; comments: string }

const COMMENT = /\/\/.*|\/\*[\s\S]*?(?:\*\/|$)/y
const STRING = /(['"])(?:\\.|(?!\1)[^\\\n])*\1?/y
const TEMPLATE = /(?:\\[\s\S]|\$(?!\{)|[^`\\$])*(?:`|\$\{)?/y
const REGEX = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y
const PLAIN = /[^'"`/{}]+/y
/** Number of characters before a slash that decide whether it starts a regular expression or divides. */
const BEFORE_CHARS = 24
/** Code that may precede a regular expression; after any other code a slash divides or closes a JSX tag. */
const BEFORE_REGEX =
  /(?:^|[=(,:[!&|?{};+*%~^>-]|(?:^|[^\w$.])(?:return|typeof|case|in|of|do|else|await|yield|void))$/

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ')
}

function matchAt(pattern: RegExp, text: string, index: number): string {
  pattern.lastIndex = index
  return pattern.exec(text)?.[0] ?? ''
}

/** One token of the source text, with its text in the code layer. */
type Piece = { code: string; isComment: boolean }

function quoted(token: string): Piece {
  const code = token.length > 1 ? token[0] + blank(token.slice(1, -1)) + token.at(-1) : token
  return { code, isComment: false }
}

function pieceAt(text: string, index: number, before: string): Piece {
  const char = text[index] ?? ''
  const comment = char === '/' ? matchAt(COMMENT, text, index) : ''
  if (comment) return { code: blank(comment), isComment: true }
  if (char === "'" || char === '"') return quoted(matchAt(STRING, text, index))
  const regex = char === '/' && BEFORE_REGEX.test(before.trimEnd()) ? matchAt(REGEX, text, index) : ''
  if (regex) return quoted(regex)
  return { code: matchAt(PLAIN, text, index) || char, isComment: false }
}

/** Returns template text from after its backtick, or after the brace of a `${}`, up to its end or the next `${`. */
function templateAt(text: string, index: number): Piece & { opens: boolean } {
  const chunk = matchAt(TEMPLATE, text, index)
  const opens = chunk.endsWith('${')
  const end = opens ? '${' : '`'
  return { code: blank(chunk.slice(0, -end.length)) + chunk.slice(-end.length), isComment: false, opens }
}

/** Splits formatted TypeScript into code and comments; JSX text counts as code. */
function layersOf(text: string): Layers {
  const layers: Layers = { code: '', comments: '' }
  /** The number of open braces inside each open `${`. */
  const braces: number[] = []
  let index = 0
  let before = ''
  const keep = ({ code, isComment }: Piece) => {
    layers.code += code
    layers.comments += isComment ? text.slice(index, index + code.length) : blank(code)
    index += code.length
    before = (before + code).slice(-BEFORE_CHARS)
  }
  while (index < text.length) {
    const piece = pieceAt(text, index, before)
    const open = braces.at(-1)
    keep(piece)
    const closesHole = piece.code === '}' && open === 0
    if (closesHole) braces.pop()
    else if (piece.code === '{' && open !== undefined) braces[braces.length - 1] = open + 1
    else if (piece.code === '}' && open !== undefined) braces[braces.length - 1] = open - 1
    if (closesHole || piece.code === '`') {
      const chunk = templateAt(text, index)
      keep(chunk)
      if (chunk.opens) braces.push(0)
    }
  }
  return layers
}

const cache = new WeakMap<SourceFile, Layers>()

/** Returns the code and the comments of a file; the result is cached per file. */
export function layers(file: SourceFile): Layers {
  const known = cache.get(file) ?? layersOf(file.text)
  cache.set(file, known)
  return known
}

/** Returns the line number, from 1, of the character at `index`. */
export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}
