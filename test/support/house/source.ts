/** A file as the rules see it: its path from the root, with slashes, and its text. */
export type SourceFile = { path: string; text: string }

type Import = { specifier: string; typeOnly: boolean; line: number }

/**
 * The text twice, each of the same length as the original: `code` has the content of comments, strings and
 * regular expressions blanked out, `comments` has everything else blanked out.
 */
type Layers = { code: string; comments: string }

const COMMENT = /\/\/.*|\/\*[\s\S]*?(?:\*\/|$)/y
const STRING = /(['"])(?:\\.|(?!\1)[^\\\n])*\1?/y
const TEMPLATE = /(?:\\[\s\S]|\$(?!\{)|[^`\\$])*(?:`|\$\{)?/y
const REGEX = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y
const PLAIN = /[^'"`/{}]+/y
/** How much of the code behind is looked at to tell a regular expression from a division. */
const BEFORE_CHARS = 24
/** What may stand before a regular expression; after anything else a slash divides (or closes JSX). */
const BEFORE_REGEX =
  /(?:^|[=(,:[!&|?{};+*%~^>-]|(?:^|[^\w$.])(?:return|typeof|case|in|of|do|else|await|yield|void))$/

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ')
}

function matchAt(pattern: RegExp, text: string, index: number): string {
  pattern.lastIndex = index
  return pattern.exec(text)?.[0] ?? ''
}

/** A piece of the text, as the code layer keeps it. */
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

/** The text of a template from behind its backtick, or behind the brace of a `${}`, to its end or the next `${`. */
function templateAt(text: string, index: number): Piece & { opens: boolean } {
  const chunk = matchAt(TEMPLATE, text, index)
  const opens = chunk.endsWith('${')
  const end = opens ? '${' : '`'
  return { code: blank(chunk.slice(0, -end.length)) + chunk.slice(-end.length), isComment: false, opens }
}

/** Splits TypeScript into its code and its comments; good enough for tidy sources, and for JSX by the line. */
function layersOf(text: string): Layers {
  const layers: Layers = { code: '', comments: '' }
  /** For every `${` that is open, how many braces are open inside it. */
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

/** The layers of a file, split once however many rules ask. */
export function layers(file: SourceFile): Layers {
  const known = cache.get(file) ?? layersOf(file.text)
  cache.set(file, known)
  return known
}

/** The line, counted from 1, on which the character at `index` stands. */
export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

const NAMES = String.raw`(?:[\w$*]+(?:\s+as\s+[\w$]+)?\s*,?\s*)?(?:\*\s+as\s+[\w$]+\s*)?(?:\{[^}]*\}\s*)?`
const STATEMENT = new RegExp(String.raw`\b(?:import|export)\s+(type\s+)?${NAMES}from\s*(?=['"])`, 'g')
const CALL = /\b(?:import|require|getBuiltinModule)\s*\(\s*(?=['"])|\bimport\s*(?=['"])/g

/** Every module a file names: by import, export from, import(), require() or process.getBuiltinModule(). */
export function importsOf(file: SourceFile): Import[] {
  const { code } = layers(file)
  const found = (match: RegExpExecArray, typeOnly: boolean): Import => {
    const start = match.index + match[0].length
    const end = code.indexOf(code[start] ?? '', start + 1)
    return { specifier: file.text.slice(start + 1, end), typeOnly, line: lineAt(code, start) }
  }
  return [
    ...[...code.matchAll(STATEMENT)].map((match) => found(match, match[1] !== undefined)),
    ...[...code.matchAll(CALL)].map((match) => found(match, false)),
  ].sort((a, b) => a.line - b.line)
}

/** The path a relative specifier means, seen from the importing file; undefined for a package or a builtin. */
export function resolveImport(from: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined
  const parts = from.split('/').slice(0, -1)
  for (const part of specifier.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.') parts.push(part)
  }
  return parts.join('/')
}

/** Whether a path is meant by a pattern: a folder ending in a slash, a file, or a file with a `*` in its name. */
export function isAt(path: string, pattern: string): boolean {
  if (pattern.endsWith('/')) return path.startsWith(pattern)
  const [head = '', tail] = pattern.split('*')
  if (tail === undefined) return path === pattern
  const fits = path.startsWith(head) && path.endsWith(tail) && path.length >= head.length + tail.length
  return fits && !path.slice(head.length).includes('/')
}
